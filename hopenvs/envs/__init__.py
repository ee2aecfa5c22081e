"""The faces of any game: AEC, parallel, vector and gym. They know no game by name."""
