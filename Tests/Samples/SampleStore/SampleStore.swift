internal import CivilTime

/// A synthetic App Store app that knows the true amounts and writes the inputs of Paidline.
///
/// It generates prices, then customers, then price reports; the phenomena of a difficult store
/// change all three. ``EvidenceReader`` decides which amounts the exports determine. ``truth`` has
/// the true purchases. Equal options and phenomena give equal bytes, on every platform and in every
/// process.
public struct SampleStore: SyntheticStore {
  /// The first day and the length in days of a difficult store: 2022 to the middle of 2024.
  ///
  /// These days include December 2022: since then, storefronts with the same currency may have
  /// different prices.
  public static let usualDays = ("2022-01-01", 900)

  /// The options of the store.
  public let options: SampleOptions
  /// The phenomena of a difficult store; `nil` for an ordinary store of the sample app.
  public let phenomena: [HardPhenomenon]?
  /// Apple's charges, each with the reason why the exports determine the amount, or why not.
  public let truth: StoreTruth

  let world: World
  let accounts: [Account]
  let exports: StoreExport

  /// Simulates all customers.
  public init(_ options: SampleOptions, _ phenomena: [HardPhenomenon]? = nil) {
    self.init(options, phenomena) { _ in }
  }

  /// Simulates all customers, then lets `change` modify their data, then computes the truth.
  init(
    _ options: SampleOptions, _ phenomena: [HardPhenomenon]? = nil,
    changing change: (inout [Account]) -> Void
  ) {
    self.options = options
    self.phenomena = phenomena
    var shaped: [(stream: UInt64, phenomenon: any Phenomenon)] = []
    let world = Self.world(options, phenomena, &shaped)
    var accounts: [Account] = []
    for number in 0..<world.customers {
      var life = AccountLife(number: number, world: world)
      var account =
        options.hasBoughtNothing(number) ? life.liveWithoutPurchase() : life.live()
      for (stream, phenomenon) in shaped {
        var own = SampleRandom(seed: options.seed, stream: stream | UInt64(number + 1) << 8)
        phenomenon.changeAccount(&account, in: world, &own)
      }
      accounts.append(account)
    }
    if options.hasStories {
      accounts += SampleStories(world: world, firstNumber: accounts.count).accounts
    }
    change(&accounts)
    Self.endWithProduction(&accounts)
    self.world = world
    self.accounts = accounts
    exports = StoreExport(
      world, accounts, files: options.files, options.hasStories ? OddLine.all().map(\.line) : [])
    truth = TruthComputation(world, accounts).truth()
  }

  /// Creates the world of a store, changed by its phenomena.
  private static func world(
    _ options: SampleOptions, _ phenomena: [HardPhenomenon]?,
    _ shaped: inout [(stream: UInt64, phenomenon: any Phenomenon)]
  ) -> World {
    guard let phenomena else {
      var world = World.sample(seed: options.seed, firstDay: options.firstDay, days: options.days)
      world.customers = options.customers
      world.reporting.hasBrokenLines = !options.hasStories
      return world
    }
    var world = World(seed: options.seed, firstDay: options.firstDay, days: options.days)
    world.customers =
      phenomena.contains(.smallShop)
      ? min(options.customers, SmallShop.customers) : options.customers
    for hard in phenomena {
      var phenomenon = hard.usual
      var own = SampleRandom(seed: options.seed, stream: hard.stream)
      phenomenon.changeWorld(&world, &own)
      shaped.append((hard.stream, phenomenon))
    }
    var usual = SampleRandom(seed: options.seed, stream: 1 << 50)
    UsualChanges().changeWorld(&world, &usual)
    return world
  }

  /// Removes sandbox responses after the newest production response.
  ///
  /// The removed responses would change the as-of time. A price report in the record of a removed
  /// response becomes a separate report.
  private static func endWithProduction(_ accounts: inout [Account]) {
    let production = accounts.filter { !$0.isSandbox }.flatMap(\.uploads)
    guard let newest = production.map(\.at).max() else { return }
    for number in accounts.indices where accounts[number].isSandbox {
      for upload in accounts[number].uploads where upload.at > newest && upload.report >= 0 {
        accounts[number].prices[upload.report].isEmbedded = false
      }
      accounts[number].uploads.removeAll { $0.at > newest }
    }
  }

  /// The number of export files of receipts, prices and charges together.
  public var exportCount: Int {
    options.files * (2 + world.chargeForms.count) + (options.hasStories ? 2 : 0)
  }

  /// Returns the export file with a number, from 0: first the receipt files, then the price files,
  /// then the files of charges.
  ///
  /// There are ``SampleOptions/files`` files of each kind. If the store has hand-made stories, the
  /// last two numbers are receipt files that repeat a response. Files are independent of each other
  /// and may be generated in parallel.
  ///
  /// - Precondition: The number is below ``exportCount``.
  public func export(_ number: Int) -> SampleFile {
    precondition(number < exportCount, "there is no such export file")
    let (kind, part) = number.quotientAndRemainder(dividingBy: options.files)
    switch kind {
    case 0: return exports.receipts(part)
    case 1: return exports.prices(part)
    case 2..<2 + world.chargeForms.count:
      return exports.charges(world.chargeForms[kind - 2], part)
    default:
      return number == exportCount - 2
        ? exports.repeatedReceipt(1, after: 1) : exports.repeatedReceipt(0, after: 7)
    }
  }

  /// Creates the files other than exports: catalogue, exchange rates, pipeline and truth.
  ///
  /// A difficult store also has two files like price lists from App Store Connect. `fetched.yaml`
  /// has all past prices; `fetched-last-month.yaml` has the prices of the last 30 days. The
  /// pipeline uses neither file.
  public func accompanyingFiles() -> [SampleFile] {
    var texts = [
      ("catalog.yaml", world.catalogueText()), ("eurofxref-hist.csv", world.ratesText()),
      ("pipeline.yaml", pipelineText()),
    ]
    if phenomena != nil {
      texts += [
        ("fetched.yaml", world.priceListText()),
        (
          "fetched-last-month.yaml",
          world.priceListText(since: world.end - 30 * BillingClock.day)
        ),
      ]
    }
    return texts.map { SampleFile(name: $0.0, bytes: Array($0.1.utf8)) } + [
      SampleFile(name: "truth.csv", bytes: truth.purchasesCSV()),
      SampleFile(name: "truth-offers.csv", bytes: truth.offersCSV()),
    ]
  }

  private func pipelineText() -> String {
    """
    # A synthetic store: \(options.customers) customers, seed \(options.seed), \
    \(options.days) days from \(options.firstDay.text).
    \(phenomenaLine)# Paths are relative to this file. What was truly paid stands in truth.csv.
    state: var/state.db
    warehouse: var/warehouse.db
    inputs:
      receipts: ["receipts/receipts-{date}.ndjson.gz"]
    \(pricesLines)  catalog: catalog.yaml
      rates: eurofxref-hist.csv
    reporting_currency: USD
    renewal_prices: history
    bundle_ids: [\(world.apps.joined(separator: ", "))]
    \(gatesLine)
    """
  }

  private var phenomenaLine: String {
    guard let phenomena else { return "" }
    let names = phenomena.isEmpty ? "none" : phenomena.map(\.rawValue).joined(separator: ",")
    return "# Phenomena: \(names).\n"
  }

  /// The gates of a difficult store: some phenomena have the usual gate for rejected records.
  private var gatesLine: String {
    guard let phenomena else { return "" }
    let isUsual = phenomena.contains(where: \.hasUsualGates)
    return "gates: {\(isUsual ? "" : "rejected_share: {share: 1}, ")volume_drop: off}\n"
  }

  /// The lines of the pipeline that name the files of price reports and of charges.
  private var pricesLines: String {
    let reports = "\"prices/prices-{date}.ndjson.gz\""
    let tables = world.chargeForms.filter { $0 != .decoded }.map(\.inputLines).joined()
    let prices = tables.isEmpty ? "  prices: [\(reports)]\n" : "  prices:\n    - \(reports)\n"
    return prices + tables
      + world.chargeForms.filter { $0 == .decoded }.map(\.inputLines).joined()
  }
}
