"""What a person hands in as maps: picked together or in one zip, in any format that we read.

Rules: the content says what it is; one building may hold several floors, everything else is one map; a floor
on which nothing is free is no map.
"""

from collections.abc import Mapping

import numpy as np

from lustra.domains.map.formats import map_server, valetudo
from lustra.domains.map.formats.archive import unpack
from lustra.domains.map.formats.lane_graph import judge_lane_graph
from lustra.domains.map.formats.limits import judge_frame, judge_marks, judge_names, refused
from lustra.domains.map.formats.plan import FREE, Plan
from lustra.domains.map.formats.rmf import building


def read_plans(files: Mapping[str, bytes]) -> list[Plan]:
    """The maps in these files (name to content)."""
    if len(files) == 1:
        ((_, only),) = files.items()
        if only.startswith(b"PK"):
            files = unpack(only)
    plans = _read_any(files)
    for plan in plans:
        judge_frame(plan.resolution, plan.origin)
        judge_names(plan.name, plan.building, plan.floor)
        judge_marks(plan.marks)
        judge_lane_graph(plan.lane_graph)
        if not np.any(plan.grid == FREE):
            raise refused("map_speed_mask") if plan.shows_speeds else refused("map_no_free", name=plan.name)
    return plans


def _read_any(files: Mapping[str, bytes]) -> list[Plan]:
    valetudo_maps = {
        name: data for name, data in files.items() if name.lower().endswith(".json") and valetudo.is_valetudo(data)
    }
    yaml_files = {name: data for name, data in files.items() if name.lower().endswith((".yaml", ".yml"))}
    if len(valetudo_maps) + len(yaml_files) > 1:
        raise refused("map_several", count=len(valetudo_maps) + len(yaml_files))
    if valetudo_maps:
        ((name, data),) = valetudo_maps.items()
        return [valetudo.read_plan(name, data)]
    if not yaml_files:
        raise refused("map_no_yaml")
    ((name, text),) = yaml_files.items()
    if building.is_building(text):
        return building.read_plans(text)
    return [map_server.read_plan(name, text, files)]
