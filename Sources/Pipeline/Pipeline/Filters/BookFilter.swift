internal import AppleReports
package import Diagnostics
internal import PaidAmounts
internal import PurchaseModel
internal import Reconciling
internal import Warehouse

/// Apple's books as a filter: the lines of reports, any part of them, to the lines that count and
/// the charges that may prove amounts.
package struct BookFilter {
  /// The tags of the output's rows.
  static let tags = ["booked", "cell", "fact", "unknown"]

  private let files: FilterFiles
  private let issues: AppleIssues

  package init(files: FilterFiles, issues: AppleIssues) {
    self.files = files
    self.issues = issues
  }

  /// Reads rows `sale`, each report's once.
  package func run() throws(RunFailure) {
    var input = FilterInput.standard(["sale"])
    let output = FilterOutput(Self.tags)
    var charges: [AppleCharge: Int64] = [:]
    var unknown: [String: Int64] = [:]
    while var row = try input.next() {
      let file = files.accounts[Int(try files.position(in: &row))].sourceFileID
      guard issues.counts(file), let books = issues.books else { continue }
      var line = try AppleLineFields.read(&row)
      line.productID = line.productID ?? line.appleID.flatMap(issues.numbers.productID)
      try output.row("fact", .word("apple_report_line"), .written(BookLines.line(line, of: file)))
      guard books.counts(line) else { continue }
      guard let product = line.productID else {
        unknown[line.appleID ?? "", default: 0] += 1
        continue
      }
      try output.row("booked", [.name(product)] + AppleLineFields.fields(line))
      if let charge = AppleCharge(line, of: product) { charges[charge, default: 0] += line.units }
    }
    for (charge, units) in charges { try CellRows.write(charge, units: units, to: output) }
    for (appleID, lines) in unknown { try output.row("unknown", .name(appleID), .number(lines)) }
    try output.finish()
  }
}

/// The comparison with Apple's books as a filter: all lines and entries of some products to the
/// sums of each cause.
package struct ReconcileFilter {
  /// The tags of the output's rows.
  static let tags = ["compared", "fact"]

  private let issues: AppleIssues

  package init(issues: AppleIssues) { self.issues = issues }

  /// Reads rows `booked` and `entry`, whole products.
  package func run() throws(RunFailure) {
    var input = FilterInput.standard(["booked", "entry"])
    var books = issues.books ?? AppleBooks(files: [], numbers: issues.numbers)
    var entries: [BookEntry] = []
    while var row = try input.next() {
      if row.tag == "entry" {
        entries.append(try EntryFields.read(&row))
      } else {
        _ = try row.field()  // The product, which the line names too.
        books.add(try AppleLineFields.read(&row))
      }
    }
    let output = FilterOutput(Self.tags)
    let result = reconcile(entries, with: books)
    for (cell, causes) in result.sums.sorted(by: { $0.key < $1.key }) {
      for (cause, sum) in causes.sorted(by: { $0.key < $1.key }) {
        try output.row("compared", ComparedFields.fields(cell, cause, sum))
        try output.row(
          "fact", .word("audit_reconciliation"), .written(BookLines.sum(sum, cell, cause)))
      }
    }
    try output.finish()
  }
}
