"""What tools/fleet measures. Arguments: pj, fleet-generator, a folder to work in, the number of journals, options of the generator."""
import collections, json, os, subprocess, sys, time

pj, generator, work, options = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[5:]
journals = int(sys.argv[4])
fleet = os.path.join(work, "fleet")
cores = os.cpu_count() or 1


def run(*words, program=pj, output=os.devnull):
    """Runs a program: its exit code, the seconds it took, those of processors, and its peak memory in MiB."""
    begun = time.monotonic()
    with open(output, "w") as file:
        process = subprocess.Popen([program, *words], stdout=file, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def records(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


# First: the peak that Linux counts for a program includes what its parent held when it was started.
few = os.path.join(work, "few")
run(few, "--journals", str(max(journals // 10, 1)), *options, program=generator)
few_memory = run("fleet", few, "-j")[3]
code, wall, processor, memory = run(fleet, "--journals", str(journals), *options, program=generator)
if code != 0:
    sys.exit(f"fleet-generator ended with {code}")
members = records(os.path.join(fleet, "manifest.jsonl"))
events = sum(member["events"] for member in members)
print(f"{journals:,} journals with {events:,} events written in {wall:.1f} s, {processor:.1f} s of processors, {memory:.0f} MiB")

rows_file = os.path.join(work, "rows.jsonl")
code, wall, processor, memory = run("fleet", fleet, "-j", output=rows_file)
rows = {row["path"]: row for row in records(rows_file) if row["kind"] == "journal"}
print(
    f"examined in {wall:.1f} s, {processor:.1f} s of processors, {memory:.0f} MiB: "
    f"{journals / processor:.0f} journals a second and core, {events / processor:,.0f} events")
print(f"a tenth of them takes {few_memory:.0f} MiB")

single = other = 0
sample = members[:: max(len(members) // 200, 1)]
for member in sample:
    for command in ("verify", "check", "diagnose"):
        single += run(command, os.path.join(fleet, member["path"]), "-j")[2]
one = run("fleet", fleet, "-j", "--threads", "1", output=os.path.join(work, "one.jsonl"))
print(
    f"on one thread {one[1]:.1f} s; {cores} cores reach {one[1] / wall / cores:.2f} of {cores} times that; "
    f"single commands take {single / len(sample) * journals:.1f} s of processors, {single / len(sample) * journals / processor:.2f} times as much")
with open(rows_file) as some, open(os.path.join(work, "one.jsonl")) as others:
    if some.read() != others.read():
        sys.exit("the output depends on the number of threads")

state = os.path.join(work, "state")
time.sleep(2.1)
run("fleet", fleet, "-j", "--resume", state)
again = run("fleet", fleet, "-j", "--resume", state, output=os.path.join(work, "again.jsonl"))
with open(rows_file) as some, open(os.path.join(work, "again.jsonl")) as others:
    if some.read() != others.read():
        sys.exit("a resumed run gives something else")
print(f"resumed in {again[1]:.1f} s, {again[3]:.0f} MiB")

planted, found, families, healthy = (collections.Counter() for _ in range(4))
for member in members:
    row = rows[member["path"]]
    if member["family"] is None:
        healthy["sound" if row["outcome"] in ("clean", "notes") else "accused"] += 1
        continue
    planted[member["family"]] += 1
    first = row["findings"][0] if row["findings"] else {"family": None, "event": None}
    families[member["family"]] += first["family"] == member["family"]
    found[member["family"]] += first["family"] == member["family"] and first["event"] == member["event"]
print(f"{'family':<32}{'planted':>8}{'family':>8}{'cause':>8}")
for family in sorted(planted):
    print(f"{family:<32}{planted[family]:>8}{families[family]:>8}{found[family]:>8}")
total = sum(planted.values())
share = sum(found.values()) / max(total, 1)
print(f"{'all':<32}{total:>8}{sum(families.values()):>8}{sum(found.values()):>8}  {share:.1%}")
print(f"healthy: {healthy['sound']} without a problem, {healthy['accused']} with one")
sys.exit(0 if share >= 0.95 and healthy["accused"] <= 0.05 * sum(healthy.values()) else 1)
