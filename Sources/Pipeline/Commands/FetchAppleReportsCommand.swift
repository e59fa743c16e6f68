internal import AppStoreClient
internal import ArgumentParser
internal import CivilTime
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

      EXAMPLE
        paidline-fetch reports shop/pipeline.yaml --vendor 80012345 \\
          --from 2024-05-01 --through 2024-05-31
        paidline-fetch reports shop/pipeline.yaml --report finance_detail \\
          --from 2024-01-01 --through 2024-05-31
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
      "One of \(AppleReportKind.allCases.map(\.rawValue).joined(separator: ", ")); may be given "
        + "several times.",
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
    guard let vendor = vendor ?? reports.vendorNumber else {
      throw RunFailure(
        .usage,
        "expected the vendor number, as --vendor or as fetch.reports.vendor_number of the pipeline")
    }
    let lock = try options.lock(definition)
    let fetch = AppleReportFetch(
      settings: settings, reports: reports, vendor: vendor, connect: connect,
      log: options.logOptions.logger("paidline-fetch"))
    let kinds = report.isEmpty ? [.sales, .subscriber] : report.map(\.kind)
    let tally = try await fetch.run(
      kinds, days: from.day...through.day,
      regions: region.isEmpty ? [AppleReportFetch.allRegions] : region, isAgain: again)
    try options.show(tally.json)
    withExtendedLifetime(lock) {}
  }
}

/// A kind of report as an argument: `subscription_event`.
struct AppleReportArgument: ExpressibleByArgument, Hashable {
  let kind: AppleReportKind

  init?(argument: String) {
    guard let kind = AppleReportKind(rawValue: argument) else { return nil }
    self.kind = kind
  }
}
