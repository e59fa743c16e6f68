internal import AppStoreClient
internal import ArgumentParser
internal import Diagnostics
internal import Pipeline

/// `paidline-fetch reports`: fetches sales reports and financial reports from App Store Connect.
struct FetchAppleReportsCommand: FetchingCommand {
  static let configuration = CommandConfiguration(
    commandName: "reports",
    abstract: "Fetch the Sales, Subscriber and other reports of App Store Connect.",
    discussion: """
      Writes one gzip file per report and day, as Apple sends it. An existing report is fetched \
      again only with --again. Apple keeps daily reports for a year: fetch them every night. \
      finance_detail and financial cover fiscal months and appear some weeks later: one file per \
      month from --from to --through, dated the first day of the month. financial is only stored.

      analytics_event and analytics_state are App Analytics' counts of trials, conversions and \
      running subscriptions, a file per app and day on which Apple made it. The first fetch asks \
      Apple for them, with a key of the role Admin; Apple keeps each for 35 days.

      EXAMPLE
        paidline-fetch reports shop/pipeline.yaml --vendor 80012345 \\
          --from 2024-05-01 --through 2024-05-31
        paidline-fetch reports shop/pipeline.yaml --report finance_detail \\
          --from 2024-01-01 --through 2024-05-31
        paidline-fetch reports shop/pipeline.yaml --report analytics_event \
          --from 2024-05-01 --through 2024-05-31
      """)

  @OptionGroup var options: FetchOptions

  @Option(
    help: ArgumentHelp(
      "The vendor number of Sales and Trends.",
      discussion: "Without it, fetch.reports.vendor_number of the pipeline file is used.",
      valueName: "number"))
  var vendor: String?

  @Option(help: ArgumentHelp("The first day, such as 2024-05-01.", valueName: "day"))
  var from: DayArgument

  @Option(help: ArgumentHelp("The last day.", valueName: "day"))
  var through: DayArgument

  @Option(
    help: ArgumentHelp(
      "One of \(AppleReportArgument.names.joined(separator: ", ")); may be given several times.",
      discussion: "sales and subscriber if not given.", valueName: "kind"))
  var report: [AppleReportArgument] = []

  @Option(
    help: ArgumentHelp(
      "The region of the reports finance_detail and financial, such as Z1 or US; may be repeated.",
      discussion: "Z1, which is all regions of finance_detail, if not given.", valueName: "code"))
  var region: [String] = []

  @Flag(help: "Replace existing reports: Apple corrects some of them.")
  var again = false

  func validate() throws {
    guard from.day <= through.day else {
      throw ValidationError("--through is a day before --from.")
    }
    guard region.allSatisfy({ $0.wholeMatch(of: /[A-Z][A-Z0-9]/) != nil }) else {
      throw ValidationError("--region expects Apple's code of a region, such as US or Z1.")
    }
    guard vendor.map({ AppleReportSettings.vendorNumber($0) != nil }) ?? true else {
      throw ValidationError("--vendor takes \(AppleReportSettings.vendorText).")
    }
  }

  func run(connect: @escaping AppleConnection.Maker) async throws {
    let (definition, settings, reports) = try options.read(
      \.reports, advice: "fetch.reports with the keys key_id, private_key_file and output")
    let kinds = report.isEmpty ? [.sales, .subscriber] : report.compactMap(\.kind)
    let counts = report.compactMap(\.analytics)
    let number = vendor ?? reports.vendorNumber
    guard kinds.isEmpty || number != nil else {
      throw RunFailure(
        .usage,
        "expected the vendor number, as --vendor or as fetch.reports.vendor_number of the pipeline")
    }
    let lock = try options.lock(definition)
    let log = options.logOptions.logger("paidline-fetch")
    var tally = AppleReportFetch.Tally()
    if let number, !kinds.isEmpty {
      let fetch = AppleReportFetch(
        settings: settings, reports: reports, vendor: number, connect: connect, log: log)
      tally += try await fetch.run(
        kinds, days: from.day...through.day,
        regions: region.isEmpty ? [AppleReportFetch.allRegions] : region, isAgain: again)
    }
    if !counts.isEmpty {
      let fetch = AnalyticsFetch(
        definition: definition, settings: settings, reports: reports, connect: connect, log: log)
      tally += try await fetch.run(counts, days: from.day...through.day, isAgain: again)
    }
    try options.show(tally.json)
    withExtendedLifetime(lock) {}
  }
}

/// A kind of report as an argument: `subscription_event`.
struct AppleReportArgument: ExpressibleByArgument, Hashable {
  /// A report of Sales and Trends or of Payments; `nil` for one of App Analytics.
  let kind: AppleReportKind?
  /// A report of App Analytics; `nil` for any other.
  let analytics: AnalyticsReport?

  /// The names of all reports.
  static let names =
    AppleReportKind.allCases.map(\.rawValue)
    + AnalyticsReport.allCases.map(\.rawValue)

  init?(argument: String) {
    kind = AppleReportKind(rawValue: argument)
    analytics = AnalyticsReport(rawValue: argument)
    guard kind != nil || analytics != nil else { return nil }
  }
}
