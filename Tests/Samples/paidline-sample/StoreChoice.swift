internal import ArgumentParser
internal import CivilTime
internal import PurchaseModel
internal import SampleStore

struct StoreChoice: ParsableArguments {
  @Option(help: "The number of customers.") var customers = 1000
  @Option(help: "The seed of the random numbers.") var seed: UInt64 = 1
  @Option(help: "The first day, YYYY-MM-DD in UTC (default: 2021-01-01).") var start: String?
  @Option(help: "The number of days of the store, at least 30 (default: 730).") var days: Int?
  @Option(help: "The number of files of receipts, and of files of prices.") var files = 8
  @Flag(help: "One export file for each day, instead of --files.") var nights = false
  @Option(help: "The fraction of customers who buy nothing, 0 to 1.") var boughtNothing = 0.0
  @Option(help: "A realistic, difficult store with these phenomena: NAME[,NAME], none or all.")
  var hard: String?
  @Option(
    help: "A store whose owner has only this service's export, such as revenuecat.",
    transform: SubscriptionService.argument)
  var service: SubscriptionService?
  @OptionGroup var signed: SignedOptions
  @OptionGroup var books: AppleReportOptions
  @Flag(help: "The store of SampleData; other options are ignored.") var showcase = false

  func store() throws -> any SyntheticStore {
    guard !showcase else { return try SignedShowcase() }
    let options = try options()
    if let service { return ServiceStore(options, service) }
    let phenomena = try hard.map { text in
      guard let phenomena = HardPhenomenon.list(text) else {
        throw ValidationError("--hard \(text): an unknown phenomenon; --help lists them")
      }
      return phenomena
    }
    guard signed.isEmpty || (!books.books && phenomena == nil) else {
      throw ValidationError(
        "--signed-from and --signed-share cannot be combined with --hard or --books.")
    }
    if books.books { return try books.store(options, phenomena) }
    guard let share = try signed.signing(options) else { return SampleStore(options, phenomena) }
    return try SignedStore(options, signing: share)
  }

  private func options() throws -> SampleOptions {
    let usual = hard == nil ? ("2021-01-01", 730) : SampleStore.usualDays
    guard let firstDay = CivilDay(text: start ?? usual.0) else {
      throw ValidationError("--start expects a day as YYYY-MM-DD, found \(start ?? "nothing").")
    }
    let days = days ?? usual.1
    guard (0...1).contains(boughtNothing), boughtNothing == 0 || hard == nil else {
      throw ValidationError(
        "--bought-nothing needs a number from 0 to 1, and cannot be combined with --hard.")
    }
    var options = SampleOptions(
      customers: customers, seed: seed, firstDay: firstDay, days: days,
      files: nights ? days : files)
    options.boughtNothingPerMille = Int((boughtNothing * 1000).rounded())
    return options
  }
}
