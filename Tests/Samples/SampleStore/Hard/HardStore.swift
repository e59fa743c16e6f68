internal import CivilTime

/// A synthetic App Store app with the difficulties of real apps and with known charges.
///
/// The ordinary ``SampleStore`` has every form of the inputs; this store has misleading evidence.
/// It generates prices, then customers, then price reports; the selected phenomena change all
/// three. Finally ``EvidenceReader`` decides which amounts the exports determine. Equal options and
/// phenomena give equal bytes.
public struct HardStore: SyntheticStore {
  /// The default first day and length in days: 2022 to the middle of 2024.
  ///
  /// These days include December 2022: since then, storefronts with the same currency may have
  /// different prices.
  public static let usualDays = ("2022-01-01", 900)

  /// The options of the store; ``SampleOptions/hasStories`` has no effect.
  public let options: SampleOptions
  /// The phenomena of the store.
  public let phenomena: [HardPhenomenon]
  /// Apple's charges, each with the reason why the exports determine the amount, or why not.
  public let truth: StoreTruth

  let world: World
  let accounts: [Account]
  private let exports: HardExport

  /// Simulates all customers.
  public init(_ options: SampleOptions, _ phenomena: [HardPhenomenon]) {
    self.init(options, phenomena) { _ in }
  }

  /// Simulates all customers, then lets `change` modify their data, then computes the truth.
  init(
    _ options: SampleOptions, _ phenomena: [HardPhenomenon],
    changing change: (inout [Account]) -> Void
  ) {
    self.options = options
    self.phenomena = phenomena
    var world = World(seed: options.seed, firstDay: options.firstDay, days: options.days)
    world.customers =
      phenomena.contains(.smallShop)
      ? min(options.customers, SmallShop.customers) : options.customers
    var shaped: [(stream: UInt64, phenomenon: any Phenomenon)] = []
    for hard in phenomena {
      var phenomenon = hard.usual
      var own = SampleRandom(seed: options.seed, stream: hard.stream)
      phenomenon.changeWorld(&world, &own)
      shaped.append((hard.stream, phenomenon))
    }
    var usual = SampleRandom(seed: options.seed, stream: 1 << 50)
    UsualChanges().changeWorld(&world, &usual)
    var accounts: [Account] = []
    for number in 0..<world.customers {
      var life = AccountLife(number: number, world: world)
      var account = life.live()
      for (stream, phenomenon) in shaped {
        var own = SampleRandom(seed: options.seed, stream: stream | UInt64(number + 1) << 8)
        phenomenon.changeAccount(&account, in: world, &own)
      }
      accounts.append(account)
    }
    change(&accounts)
    Self.endWithProduction(&accounts)
    self.world = world
    self.accounts = accounts
    exports = HardExport(world, accounts, files: options.files)
    truth = HardTruth(world, accounts).truth()
  }

  /// Removes sandbox responses after the newest production response.
  ///
  /// A price report in the record of a removed response becomes a separate report.
  private static func endWithProduction(_ accounts: inout [Account]) {
    let newest = accounts.filter { !$0.isSandbox }.flatMap(\.uploads).map(\.at).max() ?? 0
    for number in accounts.indices where accounts[number].isSandbox {
      for upload in accounts[number].uploads where upload.at > newest && upload.report >= 0 {
        accounts[number].prices[upload.report].isEmbedded = false
      }
      accounts[number].uploads.removeAll { $0.at > newest }
    }
  }

  /// The number of export files of receipts, prices and charges together.
  public var exportCount: Int { options.files * (2 + world.chargeForms.count) }

  /// Returns the export file with a number, from 0: first the receipt files, then the price files,
  /// then the files of charges.
  ///
  /// There are ``SampleOptions/files`` files of each kind.
  ///
  /// - Precondition: The number is below ``exportCount``.
  public func export(_ number: Int) -> SampleFile {
    precondition(number < exportCount, "there is no such export file")
    let (kind, part) = number.quotientAndRemainder(dividingBy: options.files)
    switch kind {
    case 0: return exports.receipts(part)
    case 1: return exports.prices(part)
    default: return exports.charges(world.chargeForms[kind - 2], part)
    }
  }

  /// Creates the files other than exports: catalogue, rates, pipeline, truth and price lists.
  ///
  /// Two files imitate price lists from App Store Connect. `fetched.yaml` has all past prices;
  /// `fetched-last-month.yaml` has the prices of the last 30 days. The pipeline uses neither file.
  public func accompanyingFiles() -> [SampleFile] {
    [
      SampleFile(name: "catalog.yaml", bytes: Array(world.catalogueText().utf8)),
      SampleFile(name: "fetched.yaml", bytes: Array(world.priceListText().utf8)),
      SampleFile(
        name: "fetched-last-month.yaml",
        bytes: Array(world.priceListText(since: world.end - 30 * BillingClock.day).utf8)),
      SampleFile(name: "eurofxref-hist.csv", bytes: Array(world.ratesText().utf8)),
      SampleFile(name: "pipeline.yaml", bytes: Array(pipelineText().utf8)),
      SampleFile(name: "truth.csv", bytes: truth.purchasesCSV(withEvidence: true)),
      SampleFile(name: "truth-offers.csv", bytes: truth.offersCSV()),
    ]
  }

  private func pipelineText() -> String {
    let names = phenomena.isEmpty ? "none" : phenomena.map(\.rawValue).joined(separator: ",")
    let hasUsualGates = phenomena.contains(where: \.hasUsualGates)
    let gates =
      hasUsualGates ? "Only the gate of volumes is off." : "The gates stop\n# no run."
    return """
      # A synthetic store with hard phenomena: \(names); \(options.customers) customers,
      # seed \(options.seed), \(options.days) days from \(options.firstDay.text). \(gates) The \
      true amounts, by which a run is scored, are in truth.csv.
      state: var/state.db
      warehouse: var/warehouse.db
      inputs:
        receipts: ["receipts/receipts-{date}.ndjson.gz"]
      \(pricesLines)  catalog: catalog.yaml
        rates: eurofxref-hist.csv
      reporting_currency: USD
      renewal_prices: history
      bundle_ids: [\(world.apps.joined(separator: ", "))]
      gates: {\(hasUsualGates ? "" : "rejected_share: {share: 1}, ")volume_drop: off}

      """
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
