internal import AppleReports
package import CivilTime
package import Diagnostics
internal import ExportReading
package import Logging
package import Pipeline
internal import SystemPackage
internal import TemporaryFiles

/// Fetches reports from App Store Connect, one file per report.
///
/// Daily reports are requested for a range of days, monthly reports for the months of these days. A
/// report that is already on disk is not requested again. Apple keeps reports for a year.
package struct AppleReportFetch {
  package let settings: FetchSettings
  package let reports: AppleReportSettings
  package let vendor: String
  package let connect: AppleConnection.Maker
  package let log: Logger

  package init(
    settings: FetchSettings, reports: AppleReportSettings, vendor: String,
    connect: @escaping AppleConnection.Maker, log: Logger
  ) {
    self.settings = settings
    self.reports = reports
    self.vendor = vendor
    self.connect = connect
    self.log = log
  }

  /// The number of days after which Apple's response that nothing was sold on a day is final.
  ///
  /// A final response is stored as a report with only a header, so that the day is not requested
  /// again.
  private static let daysUntilSettled: Int64 = 3

  /// The numbers of reports, by outcome.
  package struct Tally: Hashable {
    /// Reports that were already on disk.
    var known = 0
    var written = 0
    /// Daily reports without any sale.
    var empty = 0
    /// Reports that are not available: Apple does not have them yet, or has removed them.
    var missing = 0
    /// Requests that were sent, including repeated requests.
    var requests = 0

    /// Adds the numbers of another fetch.
    package static func += (left: inout Tally, right: Tally) {
      left.known += right.known
      left.written += right.written
      left.empty += right.empty
      left.missing += right.missing
      left.requests += right.requests
    }

    /// Creates a tally without reports.
    package init() {}

    var text: String {
      """
      \(written) reports written, \(known) already present, \(empty) without sales, \(missing) not \
      available from Apple; \(requests) requests
      """
    }

    /// The tally as JSON.
    package var json: JSONText {
      .object([
        .init("written", .number(Int64(written))), .init("known", .number(Int64(known))),
        .init("empty", .number(Int64(empty))), .init("missing", .number(Int64(missing))),
        .init("requests", .number(Int64(requests))),
      ])
    }
  }

  /// Fetches the reports of some days.
  ///
  /// - Parameters:
  ///   - days: The range of days; both ends are included.
  /// - Throws: ``RunFailure`` with status 69 if Apple cannot be reached, 78 for a key that Apple
  ///   refuses, and 65 for an unknown vendor.
  package func run(
    _ kinds: [AppleReportKind], days: ClosedRange<CivilDay>, regions: [String], isAgain: Bool
  ) async throws(RunFailure) -> Tally {
    let client = try AppleClient.appStoreConnect(
      settings, key: reports.key, url: reports.url, perSecond: settings.requestsPerSecond,
      connect: connect)
    var tally = Tally()
    var failure: RunFailure?
    do throws(RunFailure) {
      for kind in kinds {
        var version = kind.usualVersion
        for place in Self.places(kind, days, regions) {
          try StopSignal.check()
          let path = reports.output.path(kind: place.name(of: kind), day: place.day.text)
          if !isAgain, PathStatus.exists(path) {
            tally.known += 1
          } else {
            try await fetch(
              kind, place, to: path, version: &version, with: client, tally: &tally)
          }
        }
      }
    } catch {
      failure = error
    }
    await client.close()
    tally.requests = client.requests
    log.notice("\(tally.text)")
    if let failure { throw failure }
    return tally
  }

  /// The day of a daily report, or the month and region of a monthly report.
  ///
  /// A month is represented by its first day.
  private struct Place {
    var day: CivilDay
    /// Apple's code of the region; `nil` for daily reports, which contain all regions.
    var region: String?

    /// The name of the report in its path.
    ///
    /// The name of a monthly report of one region contains the region: `financial_US`.
    func name(of kind: AppleReportKind) -> String {
      guard let region, region != AppleReportFetch.allRegions else { return kind.rawValue }
      return "\(kind.rawValue)_\(region)"
    }
  }

  /// Apple's code for all regions in Finance Detail.
  package static let allRegions = "Z1"

  private static func places(
    _ kind: AppleReportKind, _ days: ClosedRange<CivilDay>, _ regions: [String]
  ) -> [Place] {
    let all = (days.lowerBound.daysSinceEpoch...days.upperBound.daysSinceEpoch).map {
      CivilDay(daysSinceEpoch: $0)
    }
    guard kind.isMonthly else { return all.map { Place(day: $0) } }
    let months = all.compactMap { day in
      day == days.lowerBound || day.date.day == 1
        ? CivilDay(year: day.date.year, month: day.date.month, day: 1) : nil
    }
    return months.flatMap { month in regions.map { Place(day: month, region: $0) } }
  }

  private func fetch(
    _ kind: AppleReportKind, _ place: Place, to path: String, version: inout String,
    with client: AppleClient, tally: inout Tally
  ) async throws(RunFailure) {
    let day = place.day
    var versions: Set<String> = [version]
    while true {
      let target =
        place.region.map { kind.target(month: day, vendor: vendor, region: $0) }
        ?? kind.target(day: day, vendor: vendor, version: version)
      let question = AppleQuestion(
        target: target, accept: "application/a-gzip", seed: Array(day.text.utf8))
      switch try await client.askAlone(
        question, meaning: { reply, _ in ReportAnswer.meaning(of: reply) })
      {
      case .answer(.report(let bytes)):
        try write(bytes, to: path)
        tally.written += 1
        return
      case .answer(.nothingSold) where kind.isMonthly:
        // Apple sends the same response for a month that is not settled yet.
        tally.missing += 1
        return
      case .answer(.nothingSold):
        tally.empty += 1
        let isSettled = day.advanced(by: Self.daysUntilSettled) < SystemClock.now.day
        if isSettled, let report = AppleReport(rawValue: kind.rawValue) {
          try write(Array(report.textOfNothing(on: day).utf8), to: path)
        }
        return
      case .answer(.notThere):
        tally.missing += 1
        return
      case .answer(.otherVersion(let other)) where versions.insert(other).inserted:
        version = other
      case .answer(.otherVersion), .rejected:
        throw RunFailure(
          .dataRefused,
          """
          App Store Connect refuses the report \(kind.rawValue) of \(day.text); check that the \
          vendor number \(vendor) is that of Sales and Trends
          """)
      case .refused(let reason):
        throw RunFailure(
          .badConfiguration,
          """
          App Store Connect rejects the key (\(reason)); use a key with the role Sales, Finance or \
          Admin, and compare fetch.reports with the keys under Users and Access, Integrations
          """)
      case .pending(let reason):
        throw RunFailure(
          .unavailable,
          """
          App Store Connect cannot be reached (\(reason)); \(tally.written) reports are \
          written, and the next run fetches the others
          """)
      }
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(RunFailure) {
    try Self.write([bytes], to: path)
  }

  /// Writes the parts of a report as Apple sent them, but always compressed with gzip.
  static func write(_ parts: [[UInt8]], to path: String) throws(RunFailure) {
    try OutputFolder.create(FilePaths.folder(of: path))
    var packed: [UInt8] = []
    for bytes in parts {
      packed += bytes.starts(with: [0x1F, 0x8B]) ? bytes : try GzipDeflater.member(of: bytes)
    }
    let file = try NewFile(path, .list)
    try file.write(packed)
    try file.publish()
  }
}
