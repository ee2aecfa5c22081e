/* Hooop! for two players, written for speed alone: the limit that compiled batches are compared with (c_limit.py).

   One board (square5), three frogs a player, cards; nothing else. What makes it short: a frog may enter the other's
   home whenever it stands before it (the quota is all three), so that a flood fill decides every chain (HO-12).
   Choices are drawn as hopenvs draws them (sfc32, Lemire's bounded integers) in the catalogue's order, so that games
   are the same, decision for decision, and the sums that both sides return must be equal. */
#include <stdint.h>
#include <string.h>

enum { SIDE = 5, LEAVES = 25, EDGES = 40, FROGS = 3, SEATS = 2, CARDS = 4 };
enum { HOMES_AT = 2 * EDGES, CHUTES_AT = HOMES_AT + 4, BRIDGES_AT = CHUTES_AT + 2 * EDGES };
enum { REMOVALS_AT = BRIDGES_AT + EDGES, END = REMOVALS_AT + EDGES, ACTIONS = END + 1, OBSERVATION = 186 };
enum { TURN, PUSH, EXTRA };
enum { NOTHING, JUMP, CHUTE, BRIDGE };
enum { EXTRA_JUMP = 1, PARACHUTE = 2, EXTRA_BRIDGE = 4, REMOVE_BRIDGE = 8, ALL_CARDS = 15 };
enum { NONE = -1, MAX_TURNS = 2000 };
static const int HOME_LEAF[SEATS] = {22, 2};
static const uint32_t HOME_LEAVES = 1u << 22 | 1u << 2;
static const uint64_t ALL_BRIDGES = (1ull << EDGES) - 1;

typedef struct {
    uint64_t bridges[SEATS];       /* in the catalogue's order of each seat's view */
    uint32_t right, down;          /* bit of a leaf: a bridge to the leaf on its right, to the one below */
    uint32_t frogs[SEATS];         /* leaves; the pushed frog is in neither */
    int8_t home[SEATS][SEATS];     /* [owner][home] */
    uint8_t cards[SEATS];
    int8_t mover, phase, kind, card_used, pushed, pushed_owner, last_jump, over, winner;
    int32_t turn;
} State;

typedef struct { uint64_t word[4]; } Set; /* of actions */

/* ---- tables -------------------------------------------------------------------------------------------------- */
static int8_t end_of[EDGES][2];               /* leaves of an edge, the smaller first */
static int8_t edge_at[LEAVES][4];             /* right, down, left, up: the edge, or NONE */
static const int STEP[4] = {1, SIDE, -1, -SIDE};
static int8_t edge_in_view[SEATS][EDGES], arc_in_view[SEATS][LEAVES][4], arc_leaf[SEATS][2 * EDGES], arc_way[SEATS][2 * EDGES];
static uint64_t spread[256];                  /* eight bits as eight bytes */

static int seen_from(int seat, int leaf) { return seat ? LEAVES - 1 - leaf : leaf; }

void make_tables(void) {
    int edge = 0;
    memset(edge_at, NONE, sizeof edge_at);
    for (int leaf = 0; leaf < LEAVES; leaf++)
        for (int way = 0; way < 2; way++) {
            if (way == 0 ? leaf % SIDE == SIDE - 1 : leaf / SIDE == SIDE - 1) continue;
            int other = leaf + STEP[way];
            end_of[edge][0] = leaf, end_of[edge][1] = other;
            edge_at[leaf][way] = edge_at[other][way + 2] = edge++;
        }
    for (int seat = 0; seat < SEATS; seat++)
        for (int leaf = 0; leaf < LEAVES; leaf++)
            for (int way = 0; way < 4; way++) {
                if (edge_at[leaf][way] == NONE) continue;
                int from = seen_from(seat, leaf), to = seen_from(seat, leaf + STEP[way]), low = from < to ? from : to;
                int seen = edge_at[low][from - to == SIDE || to - from == SIDE], arc = 2 * seen + (from > to);
                edge_in_view[seat][edge_at[leaf][way]] = seen;
                arc_in_view[seat][leaf][way] = arc;
                arc_leaf[seat][arc] = leaf, arc_way[seat][arc] = way;
            }
    for (int byte = 0; byte < 256; byte++)
        for (int bit = 0; bit < 8; bit++) spread[byte] |= (uint64_t)(byte >> bit & 1) << (8 * bit);
}

/* ---- bridges and chains -------------------------------------------------------------------------------------- */
static inline void set_bridge(State *s, int edge, int there) {
    uint32_t leaf = 1u << end_of[edge][0], *bits = end_of[edge][1] - end_of[edge][0] == 1 ? &s->right : &s->down;
    *bits = there ? *bits | leaf : *bits & ~leaf;
    for (int seat = 0; seat < SEATS; seat++) {
        uint64_t bit = 1ull << edge_in_view[seat][edge];
        s->bridges[seat] = there ? s->bridges[seat] | bit : s->bridges[seat] & ~bit;
    }
}

static inline int has_bridge(const State *s, int edge) { return s->bridges[0] >> edge & 1; }

/* A frog arrives on `leaf`, which is taken: does a chain that starts there end well (HO-7, HO-12)? */
static int chain_ends(uint32_t taken, int leaf, uint32_t right, uint32_t down) {
    uint32_t seen = 1u << leaf;
    for (;;) {
        uint32_t next = (seen & right) << 1 | (seen >> 1 & right) | (seen & down) << SIDE | (seen >> SIDE & down);
        if (seen & HOME_LEAVES || next & ~taken) return 1;
        next |= seen;
        if (next == seen) return 0;
        seen = next;
    }
}

static inline int can_land(uint32_t taken, int to, uint32_t right, uint32_t down) {
    return !(taken >> to & 1) || chain_ends(taken, to, right, down);
}

/* ---- what may be done ---------------------------------------------------------------------------------------- */
static inline void add(Set *legal, int action) { legal->word[action >> 6] |= 1ull << (action & 63); }

static inline void add_edges(Set *legal, int first, uint64_t edges) {
    legal->word[first >> 6] |= edges << (first & 63);
    if ((first & 63) + EDGES > 64) legal->word[(first >> 6) + 1] |= edges >> (64 - (first & 63));
}

/* Jumps over a bridge of a frog on `leaf` (HO-6); `taken` is what stays taken when it has gone. */
static int add_jumps(const State *s, uint32_t taken, int leaf, Set *legal) {
    int found = 0;
    for (int way = 0; way < 4; way++) {
        int edge = edge_at[leaf][way], to = leaf + STEP[way];
        if (edge == NONE || !has_bridge(s, edge)) continue;
        uint32_t gone = 1u << end_of[edge][0];
        uint32_t right = way & 1 ? s->right : s->right & ~gone, down = way & 1 ? s->down & ~gone : s->down;
        if (can_land(taken, to, right, down)) {
            found = 1;
            if (legal) add(legal, arc_in_view[s->mover][leaf][way]);
        }
    }
    for (int home = 0; home < SEATS; home++)
        if (leaf == HOME_LEAF[home]) {
            found = 1;
            if (legal) add(legal, HOMES_AT + 2 * (home ^ s->mover) + 1);
        }
    return found;
}

static inline int holds(const State *s, int card) { return s->cards[s->mover] & card; }

static Set legal_actions(const State *s) {
    Set legal = {{0}};
    uint32_t taken = s->frogs[0] | s->frogs[1];
    int mover = s->mover;
    if (s->phase == PUSH) {
        add_jumps(s, taken, s->pushed, &legal);
        return legal;
    }
    uint64_t gaps = ALL_BRIDGES & ~s->bridges[mover];
    if (s->phase == EXTRA) {
        if (s->last_jump != NONE && holds(s, EXTRA_JUMP)) add_jumps(s, taken & ~(1u << s->last_jump), s->last_jump, &legal);
        if (s->kind == BRIDGE && holds(s, EXTRA_BRIDGE)) add_edges(&legal, BRIDGES_AT, gaps);
        if (holds(s, REMOVE_BRIDGE)) add_edges(&legal, REMOVALS_AT, s->bridges[mover]);
        add(&legal, END);
        return legal;
    }
    for (uint32_t left = s->frogs[mover]; left; left &= left - 1) {
        int leaf = __builtin_ctz(left);
        uint32_t others = taken & ~(1u << leaf);
        add_jumps(s, others, leaf, &legal);
        if (holds(s, PARACHUTE))
            for (int way = 0; way < 4; way++) {
                int edge = edge_at[leaf][way];
                if (edge != NONE && !has_bridge(s, edge) && can_land(others, leaf + STEP[way], s->right, s->down))
                    add(&legal, CHUTES_AT + arc_in_view[mover][leaf][way]);
            }
    }
    if (s->home[mover][mover] && can_land(taken, HOME_LEAF[mover], s->right, s->down)) add(&legal, HOMES_AT);
    add_edges(&legal, BRIDGES_AT, gaps);
    return legal;
}

/* ---- what happens then --------------------------------------------------------------------------------------- */
static void begin_turn(State *s) { s->phase = TURN, s->kind = NOTHING, s->card_used = 0, s->last_jump = NONE; }

static void begin(State *s) {
    memset(s, 0, sizeof *s);
    for (int edge = 0; edge < EDGES; edge++) set_bridge(s, edge, 1);
    for (int seat = 0; seat < SEATS; seat++) s->home[seat][seat] = FROGS, s->cards[seat] = ALL_CARDS;
    s->pushed = s->winner = NONE;
    begin_turn(s);
}

static void end_turn(State *s) {
    s->last_jump = NONE;
    if (++s->turn >= MAX_TURNS) {
        s->over = 1;
        return;
    }
    s->mover ^= 1;
    begin_turn(s);
}

static void use(State *s, int card) { s->cards[s->mover] &= ~card, s->card_used = 1; }

static void count_jump(State *s) {
    if (s->phase == TURN) s->kind = JUMP;
    else if (s->phase == EXTRA) use(s, EXTRA_JUMP);
}

static void after_action(State *s) {
    if (!s->card_used) {
        uint32_t taken = s->frogs[0] | s->frogs[1];
        int more = (holds(s, REMOVE_BRIDGE) && s->bridges[0]) ||
                   (s->kind == BRIDGE && holds(s, EXTRA_BRIDGE) && s->bridges[0] != ALL_BRIDGES) ||
                   (s->last_jump != NONE && s->kind == JUMP && holds(s, EXTRA_JUMP) &&
                    add_jumps(s, taken & ~(1u << s->last_jump), s->last_jump, 0));
        if (more) {
            s->phase = EXTRA;
            return;
        }
    }
    end_turn(s);
}

/* Take the frog that acts from `leaf`: the pushed one, or one that stands there. Returns its owner. */
static int lift(State *s, int leaf) {
    if (s->phase == PUSH) {
        s->pushed = NONE;
        return s->pushed_owner;
    }
    int owner = s->frogs[1] >> leaf & 1;
    s->frogs[owner] &= ~(1u << leaf);
    return owner;
}

static void land(State *s, int owner, int leaf, int first) {
    uint32_t bit = 1u << leaf;
    s->last_jump = NONE;
    if ((s->frogs[0] | s->frogs[1]) & bit) {
        s->pushed = leaf, s->pushed_owner = s->frogs[1] >> leaf & 1, s->phase = PUSH;
        s->frogs[s->pushed_owner] &= ~bit;
        s->frogs[owner] |= bit;
        return;
    }
    s->frogs[owner] |= bit;
    if (first && s->kind == JUMP) s->last_jump = leaf;
    after_action(s);
}

static void apply(State *s, int action) {
    int mover = s->mover, first = s->phase == TURN;
    if (action < HOMES_AT) {
        int leaf = arc_leaf[mover][action], way = arc_way[mover][action], owner = lift(s, leaf);
        set_bridge(s, edge_at[leaf][way], 0);
        count_jump(s);
        land(s, owner, leaf + STEP[way], first);
    } else if (action == HOMES_AT) {
        count_jump(s);
        s->home[mover][mover]--;
        land(s, mover, HOME_LEAF[mover], first);
    } else if (action < CHUTES_AT) {
        int home = mover ^ (action - HOMES_AT) / 2, owner = lift(s, HOME_LEAF[home]);
        count_jump(s);
        s->home[owner][home]++;
        s->last_jump = NONE;
        if (s->home[owner][owner ^ 1] == FROGS) s->over = 1, s->winner = owner;
        else after_action(s);
    } else if (action < BRIDGES_AT) {
        int arc = action - CHUTES_AT, leaf = arc_leaf[mover][arc], owner = lift(s, leaf);
        use(s, PARACHUTE);
        s->kind = CHUTE;
        land(s, owner, leaf + STEP[arc_way[mover][arc]], 0);
    } else if (action < REMOVALS_AT) {
        if (first) s->kind = BRIDGE;
        else use(s, EXTRA_BRIDGE);
        set_bridge(s, edge_in_view[mover][action - BRIDGES_AT], 1); /* turning twice is turning back */
        after_action(s);
    } else {
        if (action != END) {
            use(s, REMOVE_BRIDGE);
            set_bridge(s, edge_in_view[mover][action - REMOVALS_AT], 0);
        }
        end_turn(s);
    }
}

/* ---- random play --------------------------------------------------------------------------------------------- */
static inline uint32_t next_word(uint32_t *r) {
    uint32_t t = r[0] + r[1] + r[3];
    r[0] = r[1] ^ r[1] >> 9;
    r[1] = r[2] + (r[2] << 3);
    r[2] = (r[2] << 21 | r[2] >> 11) + t;
    r[3]++;
    return t;
}

static inline uint32_t below(uint32_t *r, uint32_t n) {
    uint64_t product = (uint64_t)next_word(r) * n;
    if ((uint32_t)product < n)
        for (uint32_t threshold = -n % n; (uint32_t)product < threshold;) product = (uint64_t)next_word(r) * n;
    return product >> 32;
}

static int pick(const Set *legal, uint32_t *stream) {
    int counts[4], all = 0;
    for (int k = 0; k < 4; k++) all += counts[k] = __builtin_popcountll(legal->word[k]);
    int left = below(stream, all), k = 0;
    while (left >= counts[k]) left -= counts[k++];
    uint64_t word = legal->word[k];
    while (left--) word &= word - 1;
    return 64 * k + __builtin_ctzll(word);
}

/* n games from the start to the end: decisions taken; wins[seat] and turns are added up. */
int64_t play(int64_t n, uint32_t *streams, int64_t *wins, int64_t *turns) {
    int64_t taken = 0;
    for (int64_t i = 0; i < n; i++) {
        State s;
        begin(&s);
        for (; !s.over; taken++) {
            Set legal = legal_actions(&s);
            apply(&s, pick(&legal, streams + 4 * i));
        }
        if (s.winner >= 0) wins[s.winner]++;
        *turns += s.turn;
    }
    return taken;
}

/* ---- rows for learning: step, mask, observation, next game where one is over ---------------------------------- */
static void show(const State *s, int8_t *mask, int8_t *seen) {
    Set legal = legal_actions(s);
    uint64_t bytes[32];
    for (int k = 0; k < 32; k++) bytes[k] = spread[legal.word[k >> 3] >> (8 * (k & 7)) & 255];
    memcpy(mask, bytes, ACTIONS);
    memset(seen, 0, OBSERVATION);
    int seat = s->mover;
    for (int k = 0; k < SEATS; k++)
        for (uint32_t left = s->frogs[seat ^ k]; left; left &= left - 1)
            seen[LEAVES * k + seen_from(seat, __builtin_ctz(left))]++;
    if (s->pushed != NONE) seen[LEAVES * (seat ^ s->pushed_owner) + seen_from(seat, s->pushed)]++;
    seen += SEATS * LEAVES;
    for (int k = 0; k < EDGES / 8; k++) memcpy(seen + 8 * k, &spread[s->bridges[seat] >> (8 * k) & 255], 8);
    seen += EDGES;
    for (int k = 0; k < SEATS; k++)
        for (int home = 0; home < SEATS; home++) seen[2 * k + home] = s->home[seat ^ k][seat ^ home];
    seen += SEATS * SEATS;
    for (int k = 0; k < SEATS; k++)
        for (int card = 0; card < CARDS; card++) seen[CARDS * k + card] = s->cards[seat ^ k] >> card & 1;
    seen += SEATS * CARDS;
    seen[s->phase] = 1;
    seen += 3;
    if (s->pushed != NONE) seen[LEAVES * (seat ^ s->pushed_owner) + seen_from(seat, s->pushed)] = 1;
    seen += SEATS * LEAVES;
    if (s->last_jump != NONE) seen[seen_from(seat, s->last_jump)] = 1;
    seen += LEAVES;
    if (s->kind != NOTHING) seen[s->kind - 1] = 1;
    seen[3] = s->card_used;
    seen[4] = 1;
}

int64_t state_bytes(void) { return sizeof(State); }

void begin_rows(int64_t n, State *states, int8_t *masks, int8_t *seen) {
    for (int64_t i = 0; i < n; i++) begin(states + i), show(states + i, masks + ACTIONS * i, seen + OBSERVATION * i);
}

/* A decision in every row; returns how many games it ended. rewards [n, 2], ended [n]; ended games begin anew. */
int64_t step_rows(int64_t n, State *states, const int32_t *actions, int8_t *masks, int8_t *seen, float *rewards, uint8_t *ended) {
    int64_t over = 0;
    for (int64_t i = 0; i < n; i++) {
        State *s = states + i;
        apply(s, actions[i]);
        ended[i] = s->over, over += s->over;
        for (int seat = 0; seat < SEATS; seat++)
            rewards[2 * i + seat] = !s->over || s->winner == NONE ? 0 : s->winner == seat ? 1 : -1;
        if (s->over) begin(s);
        show(s, masks + ACTIONS * i, seen + OBSERVATION * i);
    }
    return over;
}
