"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.report.analysts.files import Folder as AnalystFolder
from lustra.domains.report.analysts.files import write_files as write_analyst_files
from lustra.domains.report.drying import warn_of_wet_floor
from lustra.domains.report.keep import follow as follow_reports
from lustra.domains.report.keep import keep as keep_reports
from lustra.domains.report.keep import read as read_report
from lustra.domains.report.keep import shifted as shift_report
from lustra.domains.report.not_cleaned import load_not_cleaned
from lustra.domains.report.rooms import ZoneRun, find_zone_run
from lustra.domains.report.service import build_where as build_report_where
from lustra.domains.report.service import load_floor as load_report_floor
from lustra.domains.report.service import load_report, sum_reports
from lustra.domains.report.service import read_all as read_all_reports
from lustra.domains.report.sums.figures import DAY, PLANNED, TODAY, coverage_of, thousandths_of
from lustra.domains.report.sums.ranges import Days
from lustra.domains.report.sums.ranges import choose_days as choose_report_days
from lustra.domains.report.sums.service import Robots as ReportRobots
from lustra.domains.report.sums.service import load_series as load_report_series
from lustra.domains.report.sums.service import load_today as load_report_today
from lustra.domains.report.tables import TaskReport
from lustra.domains.report.targets.service import compare as compare_with_target
from lustra.domains.report.targets.service import count_robot_days, find_target
from lustra.domains.report.targets.service import describe as describe_target

__all__ = [
    "DAY",
    "PLANNED",
    "TODAY",
    "AnalystFolder",
    "Days",
    "ReportRobots",
    "TaskReport",
    "ZoneRun",
    "build_report_where",
    "choose_report_days",
    "compare_with_target",
    "count_robot_days",
    "coverage_of",
    "describe_target",
    "find_target",
    "find_zone_run",
    "follow_reports",
    "keep_reports",
    "load_not_cleaned",
    "load_report",
    "load_report_floor",
    "load_report_series",
    "load_report_today",
    "read_all_reports",
    "read_report",
    "shift_report",
    "sum_reports",
    "thousandths_of",
    "warn_of_wet_floor",
    "write_analyst_files",
]
