internal import AppleReports
internal import CivilTime
package import Diagnostics
internal import Reconciling
internal import StateStore
internal import Warehouse

/// Apple's reports of a job, as the rows `issue` and `number` of all gathered files tell them: the
/// reports that count, and the products of Apple IDs.
package struct AppleIssues {
  /// The tags of the side file.
  static let tags: Set<String> = ["issue", "number"]

  /// The reports that count, by file id.
  let files: [AppleReportFile]
  /// The product of each Apple ID.
  let numbers: ProductNumbers
  private let counting: Set<Int64>

  /// Writes what one of Apple's reports is, and which products its Apple IDs are.
  static func write(_ file: IncomingFile, _ key: FilterField, to output: FilterOutput)
    throws(RunFailure)
  {
    var days: [CivilDay: Int] = [:]
    var named: [[String]: Int64] = [:]
    for line in file.reportLines {
      days[line.day, default: 0] += 1
      if let appleID = line.appleID, let product = line.productID {
        named[[appleID, product], default: 0] += 1
      }
    }
    let commonest = days.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    try output.row("issue", key, .name(file.report?.rawValue), .name(commonest?.text))
    for (pair, count) in named {
      try output.row("number", key, .name(pair[0]), .name(pair[1]), .number(count))
    }
  }

  /// Reads a side file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - known: The files of the run.
  ///   - settings: The settings, with the catalogue's products for Apple IDs that no report names.
  /// - Throws: ``RunFailure`` for a file that cannot be read, or is not whole.
  package init(path: String, _ known: FilterFiles, _ settings: ReconstructSettings)
    throws(RunFailure)
  {
    var (seen, files): (Set<[UInt8]>, [AppleReportFile]) = ([], [])
    var numbers = ProductNumbers(catalogue: settings.catalogue.appleIDs)
    for var row in try FilterInput.rows(ofFile: path, Self.tags)
    where seen.insert(row.line).inserted {
      let account = known.accounts[Int(try known.position(in: &row))]
      guard row.tag == "issue" else {
        guard let appleID = try row.name(), let product = try row.name() else {
          throw row.failure("an Apple ID and a product")
        }
        numbers.add(appleID: appleID, productID: product, count: Int(try row.number()))
        continue
      }
      let report = try row.name().flatMap(AppleReport.init(rawValue:))
      let commonest = try row.optionalDay()
      files.append(
        AppleReportFile(
          fileID: account.sourceFileID, report: report, day: account.exportDate ?? commonest))
    }
    // The one with the last name stands first, as on one machine.
    let preferred = files.map { file in (file, known.accounts[Int(file.fileID) - 1]) }.sorted {
      let names = (Array($0.1.name.utf8), Array($1.1.name.utf8))
      return names.0 == names.1
        ? $0.1.sha256 < $1.1.sha256 : names.1.lexicographicallyPrecedes(names.0)
    }
    self.files = AppleReportFile.counting(preferred.map(\.0))
    self.numbers = numbers
    counting = Set(self.files.map(\.fileID))
  }

  /// Whether the lines of a file count.
  func counts(_ file: Int64) -> Bool { counting.contains(file) }

  /// Whether no report was read.
  package var isEmpty: Bool { files.isEmpty }

  /// Empty books of the days that were read; `nil` without a report.
  var books: AppleBooks? { files.isEmpty ? nil : AppleBooks(files: files, numbers: numbers) }
}
