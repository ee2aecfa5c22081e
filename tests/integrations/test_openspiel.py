import copy
import pickle

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel
from numpy.random import RandomState

import hopenvs
from hopenvs.core import jit
from hopenvs.core.errors import IllegalActionError, OptionError, UnknownIdError
from hopenvs.core.state import CHANCE, SIMULTANEOUS, TERMINAL
from hopenvs.core.walk import Walk
from hopenvs.integrations import openspiel
from hopenvs.registry import entry_of, register, resolve
from tests.games_for_tests import card_game
from tests.integrations import examples

IDS = hopenvs.list_envs()
# One id a family, cut short where random play is long.
FAMILIES = {
    "igel_aergern-2p-v0": {"max_turns": 20},
    "hooop-2p-v0": {"max_turns": 20},
    "hedgehog_hop-2p-v0": {},
    "hedgehog_hop-battle-3p-v0": {},
    "hop-4p-v0": {},
    "hexx_hopp-3p-1r-v0": {"max_ticks": 20},
}
SHORTER = {
    "igel_aergern": {"max_turns": 30},
    "hooop": {"max_turns": 30},
    "hexx_hopp": {"max_ticks": 3, "rounds": 1},
}
TURN_GAMES = {env_id: options for env_id, options in FAMILIES.items() if not env_id.startswith("hexx")}
HIDING = [*FAMILIES][2:]
CORNER = {"tracks": 2, "columns": 3, "pieces": 2, "pits": [1, 1], "setup": "random", "max_turns": 6}

each_family = pytest.mark.parametrize(("env_id", "options"), FAMILIES.items(), ids=[*FAMILIES])
each_turn_game = pytest.mark.parametrize(("env_id", "options"), TURN_GAMES.items(), ids=[*TURN_GAMES])


def moves_at(point):
    """The moves of a point: outcomes, legal actions, or one random tick after another."""
    if point.seat == CHANCE:
        return list(range(len(point.engine.weights(point))))
    return np.flatnonzero(point.mask[0]).tolist()


def random_move(point, generator):
    if point.seat == SIMULTANEOUS:
        return tuple(int(generator.choice(np.flatnonzero(row))) for row in point.mask)
    return int(generator.choice(moves_at(point)))


def random_points(engine, generator):
    """The points of a random game, the end included."""
    point = engine.start
    yield point
    while point.seat != TERMINAL:
        point = engine.follow(point, random_move(point, generator))
        yield point


def apply(state, move):
    state.apply_actions(list(move)) if isinstance(move, tuple) else state.apply_action(move)


def random_state(game, generator, moves):
    """A state after so many random moves, or the end."""
    state = game.new_initial_state()
    for _ in range(moves):
        if state.is_terminal():
            break
        apply(state, random_move(state.point, generator))
    return state


def state_in_the_middle(game, seed):
    """A state halfway through a random game, a decision being due."""
    decisions = [p for p in random_points(game.engine, np.random.default_rng(seed)) if p.seat >= 0]
    state = game.new_initial_state()
    for point in decisions[len(decisions) // 2].path[1:]:
        apply(state, point.move)
    return state


# ---- OpenSpiel's own test -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("serialize", [False, True])
@each_family
def test_openspiels_random_simulation_passes(env_id, options, serialize):
    pyspiel.random_sim_test(openspiel.load_game(env_id, **options), 1, serialize, verbose=False)


@pytest.mark.slow
@pytest.mark.skipif(jit.BACKEND == "plain", reason="games of all ids take minutes in plain Python")
@pytest.mark.parametrize("env_id", IDS)
def test_openspiels_random_simulation_passes_with_every_id(env_id):
    options = SHORTER.get(env_id.split("-")[0], {})
    implied = entry_of(env_id).options
    game = openspiel.load_game(env_id, **{name: value for name, value in options.items() if name not in implied})
    pyspiel.random_sim_test(game, 1, True, verbose=False)  # without serialization the same, less that


# ---- the same game --------------------------------------------------------------------------------------------------
@pytest.mark.clause("C-7")
@pytest.mark.parametrize("reward", ["win", "rank", "score"])
@each_family
def test_it_is_the_game_that_hopenvs_makes(env_id, options, reward):
    """From one seed and the same decisions: who is asked, what is legal, what is seen, what is paid."""
    state = openspiel.load_game(env_id, reward=reward, **options).new_initial_state()
    env = hopenvs.make(env_id, reward=reward, **options)
    walk = Walk(*resolve(env_id, options))
    walk.start(5)
    env.reset(seed=5)
    generator = np.random.default_rng(1)
    while not walk.is_over:
        assert state.current_player() == walk.current_player
        if walk.is_chance:
            weights, outcome = walk.outcomes(), walk.draw()
            assert dict(state.chance_outcomes())[outcome] == weights[outcome] / sum(weights)
            walk.happen(outcome)
            state.apply_action(outcome)
            continue
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert state.observation_tensor(seat) == seen["observation"].tolist()
            if walk.current_player in (seat, SIMULTANEOUS):
                assert state.legal_actions(seat) == walk.legal(seat)
        move = random_move(state.point, generator)
        walk.play(*(move if isinstance(move, tuple) else (move,)))
        for action in move if isinstance(move, tuple) else (move,):
            env.step(action)
        apply(state, move)
    assert state.is_terminal()
    assert state.returns() == [*env.rewards.values()]


@each_family
def test_openspiel_is_told_the_facts(env_id, options):
    game = openspiel.load_game(env_id, **options)
    kind, spec = game.get_type(), game.engine.spec
    assert kind.short_name == "hopenvs_" + env_id.replace("-", "_")
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert game.utility_sum() == 0
    assert (kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS) == spec.simultaneous
    assert (kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION) == (env_id not in HIDING)
    assert (kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC) == env_id.startswith("hooop")
    assert not kind.provides_information_state_tensor
    assert game.observation_tensor_shape() == [spec.observation_size]
    assert (game.num_players(), game.num_distinct_actions()) == (spec.num_players, spec.num_actions)


@pytest.mark.clause("C-7")
def test_utilities_are_bounded_by_what_play_can_pay():
    found = {
        reward: openspiel.load_game("hop-4p-v0", reward=reward).min_utility() for reward in ("win", "rank", "score")
    }
    assert found["win"] == -1 / 3
    assert found["rank"] == -1
    assert openspiel.load_game("igel_aergern-2p-v0", reward="score").max_utility() == 3
    assert openspiel.load_game("igel_aergern-2p-v0").max_utility() == 1


def test_names_are_those_of_the_game_and_outcomes_that_are_alike_are_numbered():
    state = openspiel.load_game("igel_aergern-2p-v0").new_initial_state()
    assert state.action_to_string(state.current_player(), 2) == "place 3"
    assert state.string_to_action("place 3") == 2
    generator = np.random.default_rng(1)
    engine = openspiel.load_game("hop-4p-v0").engine
    clouds = next(
        point
        for point in random_points(engine, generator)
        if point.seat == CHANCE and "cloud" in engine.outcome_names(point)[0]
    )
    names = engine.outcome_names(clouds)
    seat = names[0].split()[1]
    assert names[:2] == [f"player {seat} cloud 0", f"player {seat} cloud 0 (2)"]
    assert len(set(names)) == len(names) == 36


@pytest.mark.clause("C-11")
def test_what_is_illegal_is_refused_and_changes_nothing():
    state = openspiel.load_game("igel_aergern-2p-v0").new_initial_state()
    before = str(state)
    with pytest.raises(IllegalActionError, match=r"player_0: action 102 \('stay'\) is illegal"):
        state.apply_action(102)
    with pytest.raises(IllegalActionError, match="there is no action 111"):
        state.apply_action(111)
    assert str(state) == before
    dealt = openspiel.load_game("hop-3p-v0").new_initial_state()
    dealt.apply_action(0)
    with pytest.raises(ValueError, match="there is no outcome 50"):
        dealt.apply_action(50)
    assert dealt.is_chance_node()
    ticks = openspiel.load_game("hexx_hopp-3p-1r-v0", max_ticks=20).new_initial_state()
    while ticks.is_chance_node():
        ticks.apply_action(0)
    with pytest.raises(ValueError, match="name one"):
        ticks.legal_actions()
    with pytest.raises(IllegalActionError, match="player_1: there is no action 9999"):
        ticks.apply_actions([0, 9999, 0])


# ---- copies ---------------------------------------------------------------------------------------------------------
@each_family
def test_copies_go_on_alike_and_apart(env_id, options):
    game = openspiel.load_game(env_id, **options)
    generator = np.random.default_rng(3)
    state = random_state(game, generator, 70)
    before = str(state)
    told = [state.information_state_string(seat) for seat in range(game.num_players())]
    saved = pyspiel.serialize_game_and_state(game, state)
    copies = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    copies.append(pyspiel.deserialize_game_and_state(saved)[1])
    while not state.is_terminal():
        move = random_move(state.point, generator)
        for each in (state, *copies[:-1]):
            apply(each, move)
    assert len({str(each) for each in (state, *copies[:-1])}) == 1
    assert len({tuple(each.returns()) for each in (state, *copies[:-1])}) == 1
    assert str(copies[-1]) == before, "a copy that nobody moved has moved"
    assert [copies[-1].information_state_string(seat) for seat in range(game.num_players())] == told


def test_a_clone_copies_nothing():
    state = random_state(openspiel.load_game("hop-4p-v0"), np.random.default_rng(3), 30)
    assert state.clone().point is state.point


# ---- options --------------------------------------------------------------------------------------------------------
def test_options_are_parameters_and_a_game_is_found_again_by_its_string():
    game = openspiel.load_game("igel_aergern-2p-v0", reward="rank", **CORNER)
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert again.engine is game.engine
    assert game.engine.options.pits[:2] == (1, 1)
    assert game.max_game_length() == 4 + 2 * 6
    same = pyspiel.load_game("hopenvs_igel_aergern_2p_v0", {"tracks": 2, "columns": 3, "pits": "[1, 1]"})
    assert same.engine.options.pits[:2] == (1, 1)
    assert same.engine.options.pieces == 4
    assert str(openspiel.load_game("igel_aergern-2p-v0", players=2, goal_count=None)) == "hopenvs_igel_aergern_2p_v0()"
    skilled = openspiel.load_game("hop-3p-v0", skills=[[0.1, 0, 0, 0]] * 3)
    assert pyspiel.load_game(str(skilled)).engine.options.skills[1] == 10


def test_what_cannot_be_loaded_is_refused_with_a_reason():
    with pytest.raises(UnknownIdError, match="igel_aergern-2p-v0"):
        openspiel.load_game("igel_argern-2p-v0")
    with pytest.raises(OptionError, match="unknown option 'track'"):
        openspiel.load_game("igel_aergern-2p-v0", track=2)
    with pytest.raises(OptionError, match="contradicts the id"):
        openspiel.load_game("igel_aergern-2p-v0", players=3)
    with pytest.raises(OptionError, match="leave chance to somebody outside"):
        openspiel.load_game("hop-3p-v0", throws="external")
    with pytest.raises(OptionError, match="reward='points'"):
        openspiel.load_game("igel_aergern-2p-v0", reward="points")


def test_a_game_without_bounds_is_refused():
    register(card_game, "card_game_without_bounds-v0")
    with pytest.raises(OptionError, match="must say max_outcomes and max_decisions"):
        openspiel.load_game("card_game_without_bounds-v0")


def test_all_ids_can_be_registered_at_once():
    names = openspiel.register_games()
    assert set(names) <= set(pyspiel.registered_names())
    assert pyspiel.load_game("hopenvs_hop_3p_sampled_v0(max_turns=3)").engine.options.max_turns == 3


# ---- what a seat knows ----------------------------------------------------------------------------------------------
@pytest.mark.clause("C-9")
@pytest.mark.parametrize("env_id", HIDING)
def test_games_that_differ_only_in_what_a_seat_cannot_know_give_it_the_same_information_state(env_id):
    """Two games side by side: of moves after which the seat sees the same, the second takes another than the first."""
    engine = openspiel.load_game(env_id, **FAMILIES[env_id]).engine
    hidden = 0
    for seed in range(5):
        generator = np.random.default_rng(seed)
        seat = seed % engine.spec.num_players
        one = other = engine.start
        while TERMINAL not in (one.seat, other.seat):
            mine = random_move(one, generator)
            led = engine.follow(one, mine)
            seen = engine.observation(led, seat)
            for move in alternatives(other, mine, seat, generator):
                parallel = engine.follow(other, move)
                if parallel.seat == led.seat and np.array_equal(engine.observation(parallel, seat), seen):
                    break
            else:
                break  # what was hidden has come to light
            one, other = led, parallel
            hidden += not np.array_equal(one.record, other.record)
            assert engine.information(one, seat) == engine.information(other, seat)
    assert hidden > 10, "nothing that a seat can't know was different"


def alternatives(point, mine, seat, generator):
    """Moves of `point`, the one of the other game mostly first; those of `seat` itself are what it did there."""
    if point.seat == SIMULTANEOUS:
        yield mine
        for _ in range(5):
            pairs = zip(mine, random_move(point, generator), strict=True)
            yield (*(same if k == seat else other for k, (same, other) in enumerate(pairs)),)
    elif mine in moves_at(point):
        if point.seat == seat or generator.random() < 0.7:
            yield mine
        if point.seat != seat:
            yield from generator.permutation(moves_at(point)).tolist()


@pytest.mark.clause("C-9")
@each_family
def test_an_information_state_grows_and_tells_apart_what_a_seat_can_tell_apart(env_id, options):
    engine = openspiel.load_game(env_id, **options).engine
    generator = np.random.default_rng(4)
    told = dict.fromkeys(range(engine.spec.num_players), "")
    apart = 0
    for point in random_points(engine, generator):
        for seat in told:
            information = engine.information(point, seat)
            assert information.startswith(told[seat]), "something that was known is forgotten"
            told[seat] = information[: information.index("has seen")]
            if point.seat != TERMINAL:
                ways = [engine.follow(point, random_move(point, generator)) for _ in range(2)]
                seen = [engine.observation(way, seat).tobytes() for way in ways]
                own = [way.move[seat] if isinstance(way.move, tuple) else way.move for way in ways]
                chose_otherwise = point.seat in (seat, SIMULTANEOUS) and own[0] != own[1]
                if seen[0] != seen[1] or chose_otherwise:
                    assert engine.information(ways[0], seat) != engine.information(ways[1], seat)
                    apart += 1
    assert apart > 10


@pytest.mark.clause("HP-7", "HP-11")
def test_a_bet_is_told_to_others_as_laid_and_a_cloud_to_its_owner_only():
    game = openspiel.load_game("hop-4p-v0")
    text = dict.fromkeys(range(4), "")
    for seed in range(3):
        state = random_state(game, np.random.default_rng(seed), 1000)
        for seat in range(4):
            text[seat] += state.information_state_string(seat)
    for seat in range(4):
        others = [other for other in range(4) if other != seat]
        assert "you: bet happy\n" in text[seat]
        assert f"player {others[0]}: bet\n" in text[seat]
        assert any(f"chance: player {seat} cloud {value}\n" in text[seat] for value in range(3))
        assert any(f"chance: player {other} cloud\n" in text[seat] for other in others)
        assert not any(f"player {other} cloud {value}" in text[seat] for other in others for value in range(3))


@pytest.mark.clause("C-9")
@pytest.mark.parametrize("env_id", [env_id for env_id in HIDING if env_id in TURN_GAMES])
def test_worlds_are_redrawn_for_searches_that_ask_for_them(env_id):
    state = state_in_the_middle(openspiel.load_game(env_id, **FAMILIES[env_id]), seed=2)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    player = state.current_player()
    worlds = [state.resample_from_infostate(player, sampler) for _ in range(5)]
    assert {world.information_state_string(player) for world in worlds} == {state.information_state_string(player)}
    assert all(world.legal_actions() == state.legal_actions() for world in worlds)
    assert all(world.observation_tensor(player) == state.observation_tensor(player) for world in worlds)
    assert len({str(world) for world in worlds}) > 1
    again = pickle.loads(pickle.dumps(worlds[0]))
    assert again.information_state_string(player) == state.information_state_string(player)
    assert str(again) == str(worlds[0])


def test_an_observer_names_the_sections():
    game = openspiel.load_game("hop-4p-v0")
    state = random_state(game, np.random.default_rng(2), 20)
    observer = game.make_py_observer()
    observer.set_from(state, 1)
    assert observer.dict.keys() == game.engine.spec.layout.keys()
    assert observer.tensor.tolist() == state.observation_tensor(1)
    lines = state.observation_string(1).splitlines()
    assert len(lines) == len(observer.dict)
    assert lines[0] == "levels: " + " ".join(str(int(level)) for level in observer.dict["levels"])
    recalled = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    recalled.set_from(state, 1)
    assert recalled.tensor is None
    assert recalled.string_from(state, 1) == state.information_state_string(1)
    for kind in (
        pyspiel.IIGObservationType(perfect_recall=False, public_info=False),
        pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS),
    ):
        with pytest.raises(ValueError, match="see what one player sees"):
            game.make_py_observer(kind)


# ---- algorithms -----------------------------------------------------------------------------------------------------
@each_turn_game
def test_openspiels_mcts_plays(env_id, options):
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    game = openspiel.load_game(env_id, **options)
    state = state_in_the_middle(game, seed=2)
    bot = mcts.MCTSBot(game, 2.0, 6, mcts.RandomRolloutEvaluator(1, RandomState(1)), random_state=RandomState(1))
    action = bot.step(state)
    assert action in state.legal_actions()
    # The same search in C++; its `step` copies states without holding Python's lock, and crashes with games in Python.
    quick = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 7), 2.0, 6, 100, False, 7, False)
    assert quick.mcts_search(state).best_child().action in state.legal_actions()


@pytest.mark.parametrize("env_id", [env_id for env_id in HIDING if env_id in TURN_GAMES])
def test_openspiels_search_of_information_sets_plays(env_id):
    ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    game = openspiel.load_game(env_id, **FAMILIES[env_id])
    state = state_in_the_middle(game, seed=2)
    evaluator = mcts.RandomRolloutEvaluator(1, RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 30, random_state=RandomState(1))
    assert bot.step(state) in state.legal_actions()


def value_of(walk, known):
    """What seat 0 gets by optimal play, by plain backward induction; `known` by position and turn."""
    if walk.is_over:
        return float(walk.states["rewards"][0, 0])
    at = walk.batch.keys()[0], int(walk.states["turn"][0])
    if at not in known:
        here, seat = walk.batch.copy(), walk.current_player
        weights = walk.outcomes() if walk.is_chance else []
        values = []
        for move in range(len(weights)) if walk.is_chance else walk.legal():
            walk.happen(move) if weights else walk.play(move)
            values.append(value_of(walk, known))
            walk.batch.take_back(here)
        if weights:
            known[at] = sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)
        else:
            known[at] = max(values) if seat == 0 else min(values)
    return known[at]


def optimal_play(state, policy):
    """What player 0 gets by optimal play, over OpenSpiel's tree; `policy` is filled: {information state: actions}."""
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance_node():
        return sum(chance * optimal_play(state.child(k), policy) for k, chance in state.chance_outcomes())
    player = state.current_player()
    values = {action: optimal_play(state.child(action), policy) for action in state.legal_actions()}
    best = (max if player == 0 else min)(values, key=lambda action: values[action])
    policy[state.information_state_string()] = [(action, float(action == best)) for action in values]
    return values[best]


@pytest.fixture(scope="module")
def corner():
    """A corner of Igel Ärgern with a cap of 6 turns, as a tree in memory, and its value for seat 0."""
    walk = Walk(*resolve("igel_aergern-2p-v0", CORNER))
    walk.start(0)
    tree = pyspiel.convert_to_cached_tree(openspiel.load_game("igel_aergern-2p-v0", **CORNER))
    return tree, value_of(walk, {})


@pytest.mark.clause("IA-28")
def test_the_value_of_a_small_corner_is_that_of_backward_induction(corner):
    tree, value = corner
    assert value == -1 / 64
    policy: dict[str, list[tuple[int, float]]] = {}
    assert optimal_play(tree.new_initial_state(), policy) == pytest.approx(value, abs=1e-12)
    assert pyspiel.exploitability(tree, policy) == pytest.approx(0, abs=1e-12)
    assert pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree)) > 0.1


@pytest.mark.clause("IA-28")
def test_cfr_approaches_that_value(corner):
    tree, value = corner
    solver = pyspiel.CFRPlusSolver(tree)
    lost = []
    for iterations in (4, 36):
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        lost.append(pyspiel.exploitability(tree, solver.average_policy()))
    assert lost[1] < lost[0] < 0.1
    assert lost[1] < 0.001
    paid = pyspiel.expected_returns(tree.new_initial_state(), solver.average_policy(), -1, True)
    assert paid[0] == pytest.approx(value, abs=0.001)


# ---- the example ----------------------------------------------------------------------------------------------------
def test_the_example_runs_and_ends_in_peace():
    """As a program: OpenSpiel keeps games that are registered beyond the end of Python."""
    said = examples.run_as_program("11_openspiel.py", "--steps", 30, "--simulations", 4, "--iterations", 1)
    assert said["library"] == "open_spiel"
    assert said["steps"] == 30
    assert said["illegal"] == 0
