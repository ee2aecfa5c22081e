"""Looking at scenes: what is written in them, which groups they have, and where things lie."""

from collections.abc import Iterator

from hopenvs.render.scene import Group, Scene, Shape, Text, walk
from hopenvs.render.text import scene_to_text


def words(shapes: tuple[Shape, ...]) -> list[str]:
    return [shape.text for shape in walk(shapes) if isinstance(shape, Text)]


def text(scene: Scene) -> list[str]:
    return scene_to_text(scene, colour=False).splitlines()


def groups(scene: Scene | Group, role: str) -> list[Group]:
    return [shape for shape in walk(scene.shapes) if isinstance(shape, Group) and shape.role == role]


def group(scene: Scene | Group, role: str) -> Group:
    (found,) = groups(scene, role)
    return found


def roles(scene: Scene | Group) -> list[str]:
    return [shape.role for shape in walk(scene.shapes) if isinstance(shape, Group) and shape.role]


def placed(
    shapes: tuple[Shape, ...], x: float = 0.0, y: float = 0.0, scale: float = 1.0
) -> Iterator[tuple[Shape, float, float, float]]:
    """Yield every text and group with where it lies and how it is scaled, but what is in turned groups."""
    for shape in shapes:
        if isinstance(shape, Text):
            yield shape, x + scale * shape.x, y + scale * shape.y, scale
        elif isinstance(shape, Group):
            yield shape, x + scale * shape.x, y + scale * shape.y, scale * shape.scale
            if not shape.rotate:
                yield from placed(shape.shapes, x + scale * shape.x, y + scale * shape.y, scale * shape.scale)
