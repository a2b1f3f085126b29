"""One page, and figures, of what a search finds, what it costs, and what learning changed."""

from waypost.report.content import Example, Report
from waypost.report.figures import write_figures
from waypost.report.gather import gather
from waypost.report.overview import write_overview
from waypost.report.page import write_report

__all__ = ["Example", "Report", "gather", "write_figures", "write_overview", "write_report"]
