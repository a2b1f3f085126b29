"use strict";
// Pointing: the mark nearest to the pointer, or the one the arrow keys have come to, says its name.
const tip = document.getElementById("tip");
let lit = null;

const marksOf = (svg) => [...svg.querySelectorAll("[data-tip]:not(.later)")].filter((mark) => mark.dataset.tip);

function centreOf(mark) {
  const box = mark.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

function distance(mark, x, y) {
  const box = mark.getBoundingClientRect();
  if (mark.tagName !== "rect") return Math.hypot(...centreOf(mark).map((at, i) => at - (i ? y : x)));
  const [aside, above] = [Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)];
  return aside + above / 8; // a bar is met anywhere in its column
}

function show(mark) {
  if (lit) lit.classList.remove("on");
  lit = mark;
  tip.hidden = !mark;
  if (!mark) return;
  mark.classList.add("on");
  if (tip.textContent !== mark.dataset.tip) tip.textContent = mark.dataset.tip;
  const [x, y] = centreOf(mark);
  const top = mark.getBoundingClientRect().top;
  const left = Math.min(Math.max(x - tip.offsetWidth / 2, 12), document.documentElement.clientWidth - tip.offsetWidth - 12);
  const over = top - tip.offsetHeight - 10;
  tip.style.transform = `translate(${left}px, ${over > 8 ? over : y + 18}px)`;
}

function point(svg, event) {
  const near = marksOf(svg).map((mark) => [distance(mark, event.clientX, event.clientY), mark]);
  const [far, mark] = near.reduce((best, one) => (one[0] < best[0] ? one : best), [Infinity, null]);
  show(far < (event.pointerType === "touch" ? 40 : 26) ? mark : null);
}

function step(svg, event) {
  const marks = marksOf(svg);
  const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  if (event.key === "Escape") return show(null);
  if (!marks.length || !(event.key in moves || event.key === "Home" || event.key === "End")) return;
  event.preventDefault();
  const at = marks.indexOf(lit);
  if (event.key === "Home" || (at < 0 && moves[event.key] > 0)) return show(marks[0]);
  if (event.key === "End" || at < 0) return show(marks[marks.length - 1]);
  show(marks[(at + moves[event.key] + marks.length) % marks.length]);
}

for (const svg of document.querySelectorAll("svg")) {
  svg.addEventListener("pointermove", (event) => point(svg, event));
  svg.addEventListener("pointerdown", (event) => point(svg, event));
  svg.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && show(null));
  svg.addEventListener("keydown", (event) => step(svg, event));
  svg.addEventListener("blur", () => show(null));
}
addEventListener("scroll", () => show(null), { passive: true });

// A search is taken back and replayed, product by product.
function replay(search) {
  const [slider, play] = [search.querySelector("input"), search.querySelector(".play")];
  const [output, most] = [search.querySelector("output"), Number(slider.max)];
  const parts = [...search.querySelectorAll("[data-v], [data-u]")];
  let timer = 0;

  function draw() {
    const spent = Number(slider.value);
    output.textContent = spent;
    for (const part of parts) {
      const { v, u } = part.dataset;
      part.classList.toggle("later", (v !== undefined && Number(v) >= spent) || (u !== undefined && Number(u) < spent));
    }
    for (const walk of search.querySelectorAll(".walks > *")) {
      walk.querySelector(".seen").textContent = walk.querySelectorAll(".hit:not(.later)").length;
      for (const chip of walk.querySelectorAll("[data-chip]")) {
        const at = Number(chip.dataset.chip);
        const seen = at >= 0 && at < spent;
        chip.classList.toggle("missed", !seen);
        chip.querySelector(".aloud").textContent = seen ? "" : " (not seen)";
      }
    }
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  }

  function start() {
    if (Number(slider.value) >= most) slider.value = 1;
    play.textContent = "Pause";
    timer = setInterval(() => {
      slider.value = Number(slider.value) + 1;
      draw();
      if (Number(slider.value) >= most) stop();
    }, Math.max(30, 7000 / most));
  }

  slider.addEventListener("input", () => (stop(), draw()));
  play.addEventListener("click", () => (timer ? stop() : start()));
  search.querySelector(".slider").hidden = false;
  draw();
  return stop;
}

const searches = [...document.querySelectorAll("figure.search")];
const stops = searches.map(replay);

// Of several searches one is shown at a time.
if (searches.length > 1) {
  const choices = document.createElement("div");
  choices.className = "choices";
  choices.setAttribute("role", "group");
  choices.setAttribute("aria-label", "Which search");
  const buttons = searches.map((search, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = search.dataset.name;
    button.addEventListener("click", () => choose(at));
    return button;
  });
  function choose(chosen) {
    show(null);
    stops.forEach((stop) => stop());
    searches.forEach((search, at) => (search.hidden = at !== chosen));
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", at === chosen));
  }
  choices.append(...buttons);
  searches[0].parentElement.before(choices);
  choose(0);
}
