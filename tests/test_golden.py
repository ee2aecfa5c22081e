"""Records of games replay: golden ones of every id, and samples that were made by hand."""

from pathlib import Path

import pytest

from hopenvs.core.jit import BACKEND
from hopenvs.core.record import GameRecord, read_records
from hopenvs.core.walk import Walk
from hopenvs.registry import resolve_header
from tests import golden

SAMPLES = sorted((Path(__file__).parent / "records").glob("*.jsonl"))
PLIES = 200  # of a record, without Numba
BYTES = 1_500_000  # of all golden records together


def replay(record):
    """Replay a record, of which only the beginning without Numba."""
    game, options, payoff = resolve_header(record.header)
    if BACKEND == "plain" and len(record.events) > PLIES:
        record = GameRecord(record.header, record.events[:PLIES], None, record.first_line)
    walk = record.replay(Walk(game, options, payoff=payoff))
    assert walk.is_over == (record.result is not None)


@pytest.mark.parametrize("env_id", golden.golden_ids())
def test_every_id_has_a_golden_record_that_replays(env_id):
    assert golden.path_of(env_id).exists(), "`python -m tests.golden` writes it"
    record = golden.read(env_id)
    assert record.header["env"] == env_id
    assert record.result is not None
    assert any("position" in event for event in record.events)
    replay(record)


def test_every_golden_record_is_of_an_id():
    names = {path.name for path in golden.FOLDER.glob("*.jsonl*")}
    assert names == {golden.path_of(env_id).name for env_id in golden.golden_ids()}


def test_the_golden_records_are_small():
    assert sum(path.stat().st_size for path in golden.FOLDER.glob("*.jsonl*")) < BYTES


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_record_replays(sample):
    records = list(read_records(sample.read_text(encoding="utf-8").splitlines()))
    assert records
    for record in records:
        replay(record)
