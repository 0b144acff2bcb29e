"""Write three questions, one of each form, to try a model with."""

from pathlib import Path

from veridical.base.script import run
from veridical.models.exchange import Form
from veridical.models.prompts import Prompt, Turn, write_prompts

MEMORY = "Your memory:\n2025-03-04 — met Llama — the spare key: it hangs behind the clock"


def main(prompts: Path) -> None:
    """Write the prompts file: free text, a choice with abstention, JSON by schema."""
    where = Turn("Where does the spare key hang?", Form("text"), MEMORY)
    whom = "With whom did you discuss the spare key? Answer Llama, DeepSeek or I don't know."
    choice = Form("choice", options=("Llama", "DeepSeek"), abstention="I don't know")
    schema = {
        "type": "object",
        "properties": {"month": {"type": "integer", "minimum": 1, "maximum": 12}},
        "required": ["month"],
        "additionalProperties": False,
    }
    month = Turn("In which month was that? Answer as JSON.", Form("json", schema=schema), MEMORY)
    write_prompts(
        prompts,
        [
            Prompt("text", (where,)),
            Prompt("choice", (Turn(whom, choice, MEMORY),)),
            Prompt("json", (month,)),
        ],
    )


if __name__ == "__main__":
    run(main, snakemake)
