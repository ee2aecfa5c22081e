"""The phases of Dance Battle Royale, and the checks that give a card (HH-46)."""

DEAL, CREW, LINE, PLAN, PLAY, COLLECT, DISCARD, DRAW, REFILL = range(9)  # chance deals, draws and refills
NOTHING, START, END, ROUND = range(4)  # which check is being settled
