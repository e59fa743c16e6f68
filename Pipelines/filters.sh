#!/bin/sh
# Computes the fact tables of a pipeline by running its steps as filters, without a database or Spark.
#
#   filters.sh PIPELINE FOLDER [BUCKETS]
#
# FOLDER receives the output: facts.tsv (per line a table, a tab and a row as JSON), digest (equal to
# content_digest in audit_run of one machine), and the intermediate rows. See Docs/cluster.md.
#
# BUCKETS is the number of parts into which the households are divided; default: 4.
# PAIDLINE_EACH is the command that runs the buckets. It reads one number per line and appends it to
# its arguments. Default: `xargs -n 1`; `xargs -n 1 -P 8` runs eight at once, GNU parallel uses
# several machines.
# PAIDLINE_BIN is the folder of the executables; default: those in PATH.
# PAIDLINE_AS_OF ignores data after this time. PAIDLINE_ACCEPT lists gates to accept.
#
# The intermediate rows contain customer ids, as the exports do, so only the owner may read FOLDER.
set -eu
umask 077
export LC_ALL=C
if [ $# -lt 2 ]; then
  echo "filters.sh: expected a pipeline and a folder: filters.sh PIPELINE FOLDER [BUCKETS]" >&2
  exit 64
fi
pipeline=$1 out=$2 buckets=${3:-4}
bin=${PAIDLINE_BIN:+$PAIDLINE_BIN/}
as_of=${PAIDLINE_AS_OF:+--as-of=$PAIDLINE_AS_OF}
accept=${PAIDLINE_ACCEPT:+--accept=$PAIDLINE_ACCEPT}
tab=$(printf '\t')
mkdir -p "$out"
# Remove the last output, so that a failed run leaves no facts that seem to be its own.
[ $# -eq 5 ] || rm -f "$out/facts.tsv" "$out/digest"

# Prints the rows of one bucket: whole households, and the number of rows.
bucket() {
  awk -F "$tab" -v OFS="$tab" -v bucket="$1" -v buckets="$buckets" '
    BEGIN { print "#paidline-rows", 1 }
    $2 != last { last = $2; number++ }
    number % buckets == bucket { print; count++ }
    END { print "#end", "house", count + 0 }' "$out/houses"
}

# Runs a step on one bucket. each() calls: filters.sh PIPELINE FOLDER BUCKETS STEP BUCKET
if [ $# -eq 5 ]; then
  step=$4 number=$5
  set --
  [ "$step" = place ] || set -- --side "$out/price-book"
  [ "$step" != decide ] || set -- "$@" --side "$out/issues"
  if [ "$step" = decide ] && [ -e "$out/cells" ]; then set -- "$@" --side "$out/cells"; fi
  bucket "$number" |
    "${bin}paidline-reconstruct" "$step" "$pipeline" ${as_of:+"$as_of"} --side "$out/files" \
      --side "$out/products" --side "$out/joined" "$@" > "$out/$step.$number"
  exit
fi

# Runs a step on all buckets and concatenates their outputs.
each() {
  rm -f "$out/$1".*
  seq 0 $((buckets - 1)) |
    ${PAIDLINE_EACH:-xargs -n 1} "$0" "$pipeline" "$out" "$buckets" "$1" || exit 70
  cat "$out/$1".*
}

# Prints the rows with the given tags of a file, with its first line and their counts, sorted.
rows() { grep -E "^(#paidline-rows$tab|#end$tab($1)$tab|($1)($tab|\$))" "$2" | sort; }

# Evaluates the gates on rejected records and, after `decide`, on totals of the facts.
judge() {
  "${bin}paidline-reconstruct" judge "$pipeline" ${as_of:+"$as_of"} ${accept:+"$accept"} \
    --side "$out/files"
}

"${bin}paidline-ingest" files "$pipeline" > "$out/inputs"
"${bin}paidline-ingest" gather "$pipeline" < "$out/inputs" > "$out/gathered"
rows file "$out/gathered" > "$out/files"
rows 'issue|number' "$out/gathered" > "$out/issues"
rm -f "$out/cells"
# Rejected records of an export that exists under two names are included once.
grep "^reject$tab" "$out/gathered" | sort -u | awk -F "$tab" -v OFS="$tab" '
  BEGIN { print "#paidline-rows", 1 }
  { print; count++ }
  END { print "#end", "reject", count + 0 }' > "$out/rejects"
judge < "$out/rejects" > "$out/gates"

rows part "$out/gathered" |
  "${bin}paidline-reconstruct" merge "$pipeline" ${as_of:+"$as_of"} \
    --side "$out/files" > "$out/merged"
rows 'group|kind|lengths|sold|term' "$out/merged" > "$out/products"

{ rows 'report|storefront' "$out/gathered"; rows 'chain|named|seen|transaction' "$out/merged"; } | sort |
  "${bin}paidline-reconstruct" join "$pipeline" ${as_of:+"$as_of"} > "$out/met"
rows 'passed|placeholder|winner' "$out/met" > "$out/joined"

# Every part of a chain with its household, and the rows of households that `join` wrote.
grep "^member$tab" "$out/met" | sort -t "$tab" -k 2,2 > "$out/members"
grep "^part$tab" "$out/gathered" | sort -u -t "$tab" -k 2 > "$out/parts"
{
  join -t "$tab" -1 2 -2 2 -o 2.3,1.2,1.3,1.4 "$out/parts" "$out/members" |
    awk -F "$tab" -v OFS="$tab" '{ print "house", $1, "part", $2, $3, $4 }'
  grep "^house$tab" "$out/met" || true
} | sort > "$out/houses"
expected=$(wc -l < "$out/parts") found=$(grep -c "^house$tab[0-9a-f]*${tab}part$tab" "$out/houses" || true)
if [ "$expected" -ne "$found" ]; then
  echo "filters.sh: internal error: expected $expected parts of chains in households; found $found" >&2
  exit 70
fi

each place > "$out/placed"
{ cat "$out/files"; rows 'placed|signed' "$out/placed"; } | sort |
  "${bin}paidline-reconstruct" learn "$pipeline" ${as_of:+"$as_of"} \
    --side "$out/products" --side "$out/issues" > "$out/decided"
rows 'apart|currency|interval|market|prices|unit' "$out/decided" > "$out/price-book"

# Adds the verdicts on its price reports to every household.
grep "^verdict$tab" "$out/decided" | sort -t "$tab" -k 2,2 > "$out/verdicts"
grep "^house$tab[0-9a-f]*${tab}report$tab" "$out/houses" | cut -f 2,4 | sort -t "$tab" -k 2,2 |
  join -t "$tab" -1 2 -2 2 - "$out/verdicts" |
  awk -F "$tab" -v OFS="$tab" '{
    line = "house" OFS $2 OFS "verdict" OFS $1
    for (field = 4; field <= NF; field++) line = line OFS $field
    print line }' | sort | sort -m - "$out/houses" > "$out/houses-with-verdicts"
mv "$out/houses-with-verdicts" "$out/houses"

# Apple's reports, if any. Which amounts they prove depends on the units of all buckets (`count`).
books() {
  step=$1
  shift
  sort | "${bin}paidline-reconstruct" "$step" "$pipeline" ${as_of:+"$as_of"} \
    --side "$out/files" --side "$out/issues" "$@"
}
if grep -q "^issue$tab" "$out/issues"; then
  rows sale "$out/gathered" | books book > "$out/booked"
  each count > "$out/counted"
  { rows 'cell|checked' "$out/booked"; rows counted "$out/counted"; } > "$out/cells"
fi
each decide >> "$out/decided"
if [ -e "$out/cells" ]; then
  { rows booked "$out/booked"; rows entry "$out/decided"; } |
    books reconcile --side "$out/products" > "$out/compared"
  cat "$out/booked" "$out/compared" >> "$out/decided"
fi

{ cat "$out/rejects"; rows 'amount|compared|doubted|other|reported|tally|unclaimed|unit|unknown' "$out/decided"; } | judge > "$out/gates"
grep "^fact$tab" "$out/decided" | cut -f 2- | sort > "$out/facts.tsv"
"${bin}paidline-reconstruct" sum < "$out/decided" > "$out/digest"
