internal import Amounts
internal import ArgumentParser
internal import CivilTime
internal import Diagnostics
internal import Pipeline
internal import PurchaseModel
internal import Warehouse

/// `paidline catalog`: changes the owner's catalogue.
struct CatalogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog",
    abstract: "Add lines to your catalogue, as runs ask for them.",
    discussion: """
      EXAMPLE
        paidline catalog add --product pro.monthly --currency USD \\
          --from 2024-05-18 --existing-subscribers preserved
      """,
    subcommands: [CatalogAddCommand.self])
}

/// `paidline catalog add`: writes one line into the owner's catalogue.
struct CatalogAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a price, a price change or an offer to your catalogue.",
    discussion: """
      Writes one line into the last file of inputs.catalog that is your own. Comments and all \
      other lines stay. A line that could decide no published purchase is refused, with the \
      nearest one that could. The next run uses the line.

      EXAMPLES
        paidline catalog add --product pro.monthly --currency USD \\
          --from 2024-05-18 --existing-subscribers preserved
        paidline catalog add shop.yaml --product pro.monthly --currency EUR \\
          --storefront FRA --price 13.99 --from 2024-05-18
        paidline catalog add --product pro.monthly --offer SPRING21 \\
          --kind offer_code --currency USD --price 7.99 --payment-mode pay_as_you_go
      """)

  @OptionGroup var pipeline: PipelineArgument

  @Option(help: ArgumentHelp("The product's id.", valueName: "product-id"))
  var product: String

  @Option(help: ArgumentHelp("The app, if several apps sell the id.", valueName: "bundle-id"))
  var bundleID: String?

  @Option(help: ArgumentHelp("The currency, such as USD.", valueName: "currency"))
  var currency: String

  @Option(
    help: ArgumentHelp(
      "The storefront, such as FRA; by default all that use the currency.",
      valueName: "storefront"))
  var storefront: String?

  @Option(
    help: ArgumentHelp(
      "The first day of the price, of the price change or of the offer.", valueName: "day"))
  var from: String?

  @Option(help: ArgumentHelp("The last day of the offer.", valueName: "day"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "Whether subscribers kept their old price (preserved) or pay the new one (moved).",
      valueName: "preserved|moved"))
  var existingSubscribers: String?

  @Option(help: ArgumentHelp("The price, tax included, such as 12.99.", valueName: "amount"))
  var price: String?

  @Option(
    name: .customLong("offer"),
    help: ArgumentHelp("The id of the offer, or the reference name of the code.", valueName: "id"))
  var identifier: String?

  @Option(help: ArgumentHelp("The kind of the offer: promo or offer_code.", valueName: "kind"))
  var kind: String?

  @Option(
    help: ArgumentHelp(
      "How the offer is paid: pay_as_you_go, pay_up_front or free_trial.", valueName: "mode"))
  var paymentMode: String?

  @Option(help: ArgumentHelp("The number of periods of the offer.", valueName: "number"))
  var numberOfPeriods: String?

  @Option(help: ArgumentHelp("The period of the offer, such as P1M.", valueName: "period"))
  var subscriptionPeriod: String?

  /// The options in the order of the keys of a line.
  private var given: [(key: String, value: String?)] {
    [
      ("kind", kind), ("identifier", identifier), ("storefront", storefront),
      ("currency", currency), ("price", price), ("from", from), ("to", to),
      ("existing_subscribers", existingSubscribers), ("payment_mode", paymentMode),
      ("number_of_periods", numberOfPeriods), ("subscription_period", subscriptionPeriod),
    ]
  }

  private var list: CatalogueLine.List {
    existingSubscribers != nil ? .priceChanges : identifier != nil ? .offers : .prices
  }

  func validate() throws {
    let known: [CatalogueLine.List: (required: [String], other: [String])] = [
      .prices: (["currency", "price", "from"], ["storefront"]),
      .priceChanges: (["currency", "from", "existing_subscribers"], ["storefront"]),
      .offers: (
        ["kind", "identifier", "currency", "price", "payment_mode"],
        ["storefront", "from", "to", "number_of_periods", "subscription_period"]
      ),
    ]
    guard let keys = known[list] else { return }
    let what =
      switch list {
      case .prices: "a price"
      case .priceChanges: "a price change"
      case .offers: "an offer"
      }
    let missing = given.filter { keys.required.contains($0.key) && $0.value == nil }
    guard missing.isEmpty else {
      let names = missing.map { Self.option($0.key) }.joined(separator: ", ")
      let hint =
        list == .prices && price == nil
        ? " (or --existing-subscribers for a price change, --offer for an offer)" : ""
      throw ValidationError("\(what) needs \(names)\(hint).")
    }
    let strange = given.filter {
      $0.value != nil && !(keys.required + keys.other).contains($0.key)
    }
    guard strange.isEmpty else {
      throw ValidationError(
        "\(what) has no \(strange.map { Self.option($0.key) }.joined(separator: ", ")).")
    }
    for (key, value) in given {
      guard let value, let expected = Self.expected(key, value) else { continue }
      throw ValidationError(
        "\(Self.option(key)) expects \(expected), found \(OneLine.text(value)).")
    }
  }

  func run() throws {
    let definition = try pipeline.read()
    let line = CatalogueLine(
      productID: product, bundleID: bundleID, list: list,
      members: given.compactMap { key, value in value.map { CatalogueLine.Member(key, $0) } })
    let path = try CatalogueAddition.path(definition)
    if PathStatus.exists(definition.warehousePath) {
      let sold = try PublishedWarehouse(definition).read { try SoldProducts.read(on: $0) }
      try CatalogueLineUse.check(line, sold)
    }
    let place = try CatalogueAddition.add(line, to: path)
    try CheckedOutput.standard.writeLine(
      "\(OneLine.text(place.text)): added; the next run uses this line. Remove it to undo.")
  }

  private static func option(_ key: String) -> String {
    key == "identifier" ? "--offer" : "--" + key.replacing("_", with: "-")
  }

  /// Returns the expected form of a value, in words; `nil` if the value has this form.
  private static func expected(_ key: String, _ value: String) -> String? {
    switch key {
    case "currency": Currency(value) == nil ? "three letters such as USD" : nil
    case "storefront":
      Storefront(value) == nil ? "the code of a country, such as FRA" : nil
    case "from", "to": CivilDay(text: value) == nil ? "a day such as 2024-05-18" : nil
    case "price":
      (try? Milliunits(decimal: value)) == nil ? "an amount such as 12.99" : nil
    case "existing_subscribers":
      ExistingSubscribers(rawValue: value) == nil ? "preserved or moved" : nil
    case "kind": ["promo", "offer_code"].contains(value) ? nil : "promo or offer_code"
    case "payment_mode":
      PaymentMode.allCases.contains { $0.name == value }
        ? nil : "pay_as_you_go, pay_up_front or free_trial"
    default: nil
    }
  }
}
