package import Diagnostics
internal import Warehouse

/// Runs `paidline-reconstruct sum` at the end of a job.
///
/// It computes the digest of all facts, and the number of rows in each table.
package enum SumFilter {
  /// Reads the rows of all tasks that write facts, in any order.
  ///
  /// Writes a row `content_digest` with the digest, and a row `rows` with the number of rows for
  /// each table.
  package static func run() throws(RunFailure) {
    let tags = LearnFilter.tags + DecideFilter.tags + BookFilter.tags + ReconcileFilter.tags
    var input = FilterInput.standard(Set(tags), isSorted: false)
    var digests: [String] = []
    var counts: [String: Int] = [:]
    while var row = try input.next() {
      switch row.tag {
      case "digest": digests.append(try row.word())
      case "fact": counts[try row.word(), default: 0] += 1
      default: continue
      }
    }
    guard let sum = FactLines.sum(of: digests) else {
      throw RunFailure(
        .invariantBroken, "standard input: expected digests of 64 hexadecimal digits")
    }
    let output = FilterOutput(["content_digest", "rows"])
    try output.row("content_digest", .word(sum))
    for (table, count) in counts.sorted(by: { $0.key < $1.key }) {
      try output.row("rows", .word(table), .number(Int64(count)))
    }
    try output.finish()
  }
}
