internal import SharedTables
internal import AppleReports
internal import CivilTime
package import Diagnostics
internal import PurchaseModel
internal import Reconciling
internal import Warehouse

/// Writes the lines of Apple's reports that are used, and leaves out the others.
///
/// Input: rows `sale`, one per line of a report. Output: the used lines, and the units that Apple
/// sold in each cell at each price. These units may prove amounts.
package struct BookFilter: FilterStep {
  package static let name = "book"
  package static let summary =
    "Read the rows `sale`, the lines of Apple's reports; write the used lines and their totals."
  /// The tags of the rows that the filter writes.
  static let tags = ["booked", "cell", "checked", "fact", "unknown"]

  private let files: FilterFiles
  private let issues: AppleIssues
  private let customerKey: [UInt8]

  package init(_ context: FilterContext) throws(RunFailure) {
    files = try context.files()
    issues = try context.usedIssues(files)
    customerKey = context.settings.customerKey
  }

  /// Reads rows `sale`, and writes the used lines and the sums of their units.
  ///
  /// Equal rows are read once, so a report in two files with equal content is not added twice.
  package func run() throws(RunFailure) {
    var input = FilterInput.standard(["sale"])
    let output = FilterOutput(Self.tags)
    var charges: [AppleCharge: Int64] = [:]
    var unknown: [String: Int64] = [:]
    var check = ReportCheck()
    let appleReports = issues.appleReports
    while var row = try input.next() {
      let file = files.accounts[Int(try files.position(of: try row.requiredText(), in: row))].id
      guard issues.uses(file), let appleReports else { continue }
      var line = try AppleReportLine(from: &row)
      line.productID = line.productID ?? line.appleID.flatMap(issues.numbers.productID)
      let subscriber = line.subscriber
      line.subscriber = try subscriber.map { id throws(RunFailure) in
        try warehouseKey(ofCustomer: id, key: customerKey)
      }
      try output.row(
        "fact", .word("apple_report_line"), .written(AppleReportRows.line(line, of: file)))
      let day = issues.day(file) ?? line.day
      if let product = line.productID,
        let entry = ReportCheck.Entry(line, of: product, reportDay: day)
      {
        check.add(entry, units: line.units)
      } else if !appleReports.uses(line) {
        continue
      }
      // The comparison needs the lines of both reports.
      try output.row(
        "booked",
        [.name(line.productID ?? line.appleID), .word(day.text)]
          + FilterField.fields(line))
      guard appleReports.uses(line) else { continue }
      guard let product = line.productID else {
        unknown[line.appleID ?? "", default: 0] += 1
        continue
      }
      if let charge = AppleCharge(line, of: product) { charges[charge, default: 0] += line.units }
    }
    for (entry, units) in check.entries { try CellRows.write(entry, units: units, to: output) }
    for (charge, units) in charges { try CellRows.write(charge, units: units, to: output) }
    for (appleID, lines) in unknown { try output.row("unknown", .name(appleID), .number(lines)) }
    try output.finish()
  }
}

/// Runs `paidline-reconstruct reconcile`: compares Apple's reports with the facts.
///
/// Input: all rows `booked` (lines of reports) and `entry` (our charges and refunds) of some
/// products. Output: the difference for each month, product, storefront and currency, as one sum
/// per cause.
package struct ReconcileFilter: FilterStep {
  package static let name = "reconcile"
  package static let summary =
    "Compare the lines from `book` with the charges and refunds from `decide`."
  /// The tags of the rows that the filter writes.
  static let tags = ["compared", "doubted", "fact", "other"]

  private let issues: AppleIssues
  private let known: Set<String>

  package init(_ context: FilterContext) throws(RunFailure) {
    issues = try context.usedIssues(try context.files())
    known = try context.products().names().union(context.settings.catalogue.productIDs)
  }

  /// Reads rows `booked` and `entry`, and writes the comparison.
  ///
  /// All rows of a product must be in the input of one task.
  package func run() throws(RunFailure) {
    var input = FilterInput.standard(["booked", "entry"])
    var appleReports = issues.appleReports ?? ReconciledReports(files: [], numbers: issues.numbers)
    appleReports.addProducts(known)
    var entries: [ReconciliationEntry] = []
    while var row = try input.next() {
      if row.tag == "entry" {
        entries.append(try ReconciliationEntry(from: &row))
      } else {
        _ = try row.field()  // The product, which the line names too.
        let day = try row.day()
        appleReports.add(try AppleReportLine(from: &row), reportDay: day)
      }
    }
    let output = FilterOutput(Self.tags)
    let result = reconcile(entries, with: appleReports)
    for (cell, causes) in result.sums.sorted(by: { $0.key < $1.key }) {
      for (cause, sum) in causes.sorted(by: { $0.key < $1.key }) {
        try output.row(ComparedRow(cell: cell, cause: cause, sum: sum))
        try output.row(
          "fact", .word("audit_reconciliation"), .written(AppleReportRows.sum(sum, cell, cause)))
      }
    }
    for difference in result.doubts.differing {
      try output.row(
        DoubtedRow(
          place: difference.place, salesUnits: difference.salesUnits,
          subscriberUnits: difference.subscriberUnits))
    }
    for place in result.doubts.implausible { try output.row(DoubtedRow(place: place)) }
    if result.others.lines > 0 {
      for product in result.others.products.sorted() {
        try output.row("other", .name(product), .number(Int64(result.others.lines)))
      }
    }
    try output.finish()
  }
}
