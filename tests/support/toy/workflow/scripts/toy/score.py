from pathlib import Path

source = Path(snakemake.input[0]).read_text()
Path(snakemake.output[0]).write_text(f"lines,letters\n{len(source.splitlines())},{len(source)}\n")
