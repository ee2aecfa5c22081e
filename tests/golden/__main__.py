"""Write the golden records that are missing."""

from tests import golden

for env_id in golden.golden_ids():
    if not golden.path_of(env_id).exists():
        golden.write(env_id)
        print(golden.path_of(env_id))
