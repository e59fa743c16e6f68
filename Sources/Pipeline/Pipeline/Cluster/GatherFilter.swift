internal import SharedTables
internal import StateStore
internal import CivilTime
package import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Runs the step gather as a filter.
///
/// Input: names of exports. Output: the content of each export. If an export cannot be read whole,
/// the filter ends with status 65, so that the cluster's job publishes nothing.
package struct GatherFilter {
  /// The tags of the rows that the filter writes.
  static let tags = ["file", "issue", "storefront", "number", "part", "reject", "report", "sale"]

  package let definition: PipelineDefinition

  package init(definition: PipelineDefinition) {
    self.definition = definition
  }

  /// Writes one row `input` for each export that matches the pipeline's patterns.
  package func list() throws(RunFailure) {
    let found = try FoundInputs.find(definition)
    if let refused = found.refusals.first { throw RunFailure(.dataRefused, refused.text) }
    let output = FilterOutput(["input"])
    // The clock is read once for all exports; the filter `gather` reads none.
    let latest = LatestSnapshot.at(SystemClock.now)
    for input in found.files {
      try output.row(
        "input", .word(input.kind.rawValue), .text(Array(input.path.utf8)),
        .word(input.exportDay?.text ?? "\\N"), .number(input.size),
        .number(latest?.milliseconds))
    }
    try output.finish()
  }

  /// Reads rows `input`, and writes the content of the exports that they name.
  package func run() throws(RunFailure) {
    var names = FilterInput.standard(["input"], isSorted: false)
    let output = FilterOutput(Self.tags)
    while var row = try names.next() {
      guard let kind = InputFile.Kind(rawValue: try row.word()) else {
        throw row.failure("receipts, prices, signed or apple_reports")
      }
      let path = String(decoding: try row.requiredText(), as: UTF8.self)
      let day = try row.text().flatMap { CivilDay(text: String(decoding: $0, as: UTF8.self)) }
      _ = try row.number()  // The size, by which the engine groups the exports.
      try gather(
        FoundInput(
          path: path, resolvedPath: definition.place(of: path), kind: kind, exportDay: day,
          size: 0),
        latest: try row.moment(), into: output)
    }
    try output.finish()
  }

  private func gather(_ input: FoundInput, latest: Instant?, into output: FilterOutput)
    throws(RunFailure)
  {
    let opened = try OpenInput(input, spoolFolder: "/tmp")
    defer { opened.close() }
    let file =
      input.kind == .appleReports
      ? try opened.readReport().file
      : try opened.read(
        definition.fieldMapping(of: input.path, kind: input.kind), spare: SpareCores(0),
        staging: nil,
        batchBytes: .max, latest: latest,
        progress: ProgressBar("", totalBytes: 0, isShown: false)
      ).file
    if let refusal = file.refusal {
      throw RunFailure(.dataRefused, "\(OneLine.text(input.path)): \(refusal)")
    }
    guard file.otherKind == nil else { return }
    var tally = file.tally
    tally.rows.used += tally.rows.duplicates
    var used = FileRow()
    used.file = StoredFile(
      id: 0, sha256: file.sha256, kind: file.kind, name: input.path, status: .used, refusal: nil,
      exportDate: file.exportDate, bytes: file.bytes, tally: tally,
      newestSnapshotAt: file.content.records.lazy.map(\.snapshotAt).max(), firstRunID: 1)
    used.file.assumedProduction = Int64(file.assumedProduction)
    try output.row(used)
    let key = Array(used.key.utf8)
    for reject in file.rejects {
      try output.row(
        RejectRow(
          file: key, line: Int64(reject.line), reason: reject.reason.rawValue,
          detail: reject.detail))
    }
    if file.kind == .appleReports {
      try AppleIssues.write(file, .text(key), to: output)
      for line in file.reportLines {
        try output.row("sale", [.text(key)] + FilterField.fields(line))
      }
    }
    try writeStorefronts(file.content, key, output)
    var named: [Int64: TransactionID] = [:]
    for report in file.content.reports { named[report.evidenceID] = report.transactionID }
    try GatheredRow.forEach(of: file.content) { row throws(RunFailure) in
      switch row.subject {
      case .chain(let chain):
        try output.row(PartRow(chain: chain.rawValue, file: key, payload: row.payload))
      case .report(let id):
        let transaction = named[id].map { Array($0.number.text(in: file.content.symbols).utf8) }
        try output.row(
          ReportRow(evidenceID: id, file: key, transactionID: transaction, payload: row.payload))
      }
    }
  }

  /// Writes a row `storefront` for each production record that has a customer and a storefront, but
  /// no transaction rows.
  ///
  /// The row shows the storefront of the customer at the time of the record.
  private func writeStorefronts(
    _ content: Observations, _ file: [UInt8], _ output: FilterOutput
  )
    throws(RunFailure)
  {
    var hasRow = [Bool](repeating: false, count: content.records.count)
    for row in content.observations { hasRow[Int(row.record)] = true }
    for (number, record) in content.records.enumerated() where !hasRow[number] {
      guard !record.isSandbox, let storefront = record.storefront, let customer = record.customer
      else { continue }
      try output.row(
        StorefrontRow(
          file: file, number: Int64(number),
          customer: Array(content.symbols.utf8(customer.symbol)), storefront: storefront,
          observedAt: record.snapshotAt))
    }
  }
}
