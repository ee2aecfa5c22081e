"""What the pictures of both families share: cards, hedgehogs that dance, small pieces, and cards as text."""
