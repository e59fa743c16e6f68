internal import PaidAmounts
internal import PurchaseModel
internal import TestSupport
internal import Yams

extension Story {
  /// Reads a scenario.
  ///
  /// - Throws: ``StoryError`` for anything that the language of scenarios does not have.
  init(id: String, yaml: String) throws {
    guard let node = try Yams.compose(yaml: yaml) else {
      throw StoryError(description: "the file is empty")
    }
    let map = try StoryNode(node: node, path: "").map([
      "story", "why", "renewal_prices", "bundles", "as_of", "catalogue", "promo_codes", "rebased",
      "corrections", "books",
      "timeline", "expect", "math", "fails_with",
    ])
    self.id = id
    story = try map.required("story").text()
    why = try map.required("why").text()
    renewalPrices = try choice(map["renewal_prices"], RenewalPolicy.init) ?? .history
    bundles = try map.list("bundles").map { try $0.text() }
    asOf = try map.quoted("as_of")
    catalogue = try map.list("catalogue").map(product)
    promoCodes = try map.list("promo_codes").map { node in
      let fields = try node.map(["product", "from", "to"])
      return StoryPromoCodes(
        product: try fields.required("product").text(), from: try fields.required("from").quoted(),
        to: try fields.quoted("to"))
    }
    rebased = try map.list("rebased").map { node in
      let fields = try node.map(["currency", "from", "factor"])
      return StoryRebased(
        currency: try fields.required("currency").text(),
        from: try fields.required("from").quoted(), factor: try fields.required("factor").text())
    }
    corrections = try map.list("corrections").map { node in
      let fields = try node.map(["id", "paid"])
      let (digits, currency) = try money(fields.required("paid"))
      return StoryCorrection(
        transaction: try fields.required("id").text(), amount: digits, currency: currency)
    }
    books = try map["books"].map { try StoryBooks($0) }
    var reader = TimelineReader()
    timeline = []
    for step in try map.required("timeline").list() { timeline += try reader.steps(step) }
    expectations = try Self.expectations(map.required("expect"))
    math = try map.text("math")
    failsWith = try map.list("fails_with").map { try $0.text() }
    try checkMath()
  }

  private static func expectations(_ node: StoryNode) throws -> [StorySection: [StoryFact]] {
    let map = try node.map(Set(StorySection.allCases.map(\.rawValue)))
    var expectations: [StorySection: [StoryFact]] = [:]
    for section in StorySection.allCases {
      if let list = try map[section.rawValue]?.list() {
        expectations[section] = try list.map { try fact($0, of: section) }
      } else if section.isEmptyByDefault {
        expectations[section] = []
      }
    }
    guard expectations[.paidAmounts] != nil else { throw node.failure("'paid_amounts' is missing") }
    return expectations
  }

  private static func fact(_ node: StoryNode, of section: StorySection) throws -> StoryFact {
    let map = try node.map(Set(section.identity.map(\.name) + section.fields.keys))
    let identity = try section.identity.map { try value(map.required($0.name), $0.kind) }
    for name in section.required { _ = try map.required(name) }
    var fields: [String: String] = [:]
    for (name, kind) in section.fields {
      if let field = map[name] { fields[name] = try value(field, kind) }
    }
    if section == .paidAmounts, fields["paid"] == "unresolved" {
      for bound in ["low", "high"] { _ = try map.required(bound) }
    }
    return StoryFact(identity: identity.joined(separator: " "), fields: fields)
  }

  private static func value(_ node: StoryNode, _ kind: StorySection.Kind) throws -> String {
    let text = try node.text()
    switch kind {
    case .money, .time, .day:
      if text.contains(where: \.isNumber) { _ = try node.quoted() }
    case .text, .bool, .number: break
    }
    guard let canonical = StoryText.canonical(text, kind) else {
      throw node.failure("'\(text)' is no \(kind)")
    }
    return canonical
  }

  /// Checks that a scenario with an expected amount has its arithmetic, for readers to verify it.
  private func checkMath() throws {
    let amounts = expectations[.paidAmounts, default: []].flatMap { fact in
      ["paid", "low", "high"].compactMap { fact.fields[$0] }
    }
    let isNonZero = amounts.contains { text in text.contains { ("1"..."9").contains($0) } }
    guard !isNonZero || math != nil else {
      throw StoryError(description: "an amount other than zero is expected, so 'math' must say why")
    }
  }
}

/// Reads the steps of a timeline; the first row of the scenario determines its chain.
struct TimelineReader {
  private var chain: String?
  private var reports = 0

  mutating func steps(_ node: StoryNode) throws -> [StoryStep] {
    let keys = try node.map(receiptKeys.union(reportKeys)).values.keys
    return keys.contains("receipt") ? [.receipt(try receipt(node))] : try report(node)
  }

  private mutating func receipt(_ node: StoryNode) throws -> StoryReceipt {
    let map = try node.map(receiptKeys)
    let snapshot = try map.required("receipt").quoted()
    let inApp = try map.list("in_app").map { try row($0) }
    let latest = try map.list("rows").map { try row($0) }
    let renewals = try map["renewal"].map { try $0.node.sequence == nil ? [$0] : $0.list() } ?? []
    return StoryReceipt(
      snapshot: snapshot, customer: try map.text("customer", standard: "ana"),
      storefront: try map.text("storefront"), bundle: try map.text("bundle"),
      isSandbox: try map.bool("sandbox") ?? false,
      namesEnvironment: try map.text("environment", standard: "named") != nil,
      inApp: inApp, latest: latest, renewals: try renewals.map { try renewal($0) },
      file: try map.number("file") ?? 0,
      isTrusted: try map.bool("trusted") ?? false)
  }

  private mutating func row(_ node: StoryNode) throws -> StoreRow {
    let map = try node.map([
      "id", "of", "item", "product", "from", "to", "first_bought", "cancelled", "reason", "trial",
      "intro", "upgraded", "promo", "code", "ownership", "group", "quantity", "signed", "signed_in",
      "share", "decoded", "mode", "subscription",
    ])
    let id = try map.required("id").text()
    let isSubscription = map["to"] != nil
    if chain == nil { chain = id }
    return StoreRow(
      id, of: try map.text("of", standard: isSubscription ? chain : id),
      item: try map.text("item", standard: isSubscription ? "W" + id : nil),
      product: try map.text("product") ?? "pro", bought: try map.required("from").quoted(),
      until: try map.quoted("to"), firstBought: try map.quoted("first_bought"),
      cancelled: try map.quoted("cancelled"), reason: try map.text("reason"),
      trial: try map.bool("trial", standard: isSubscription ? false : nil),
      intro: try map.bool("intro", standard: isSubscription ? false : nil),
      upgraded: try map.bool("upgraded"), promo: try map.text("promo"),
      code: try map.text("code"), ownership: try map.text("ownership"),
      group: try map.text("group"), quantity: try map.number("quantity") ?? 1,
      signed: try signed(map))
  }

  /// The terms of a row that is a signed or decoded transaction; with `signed: none`, all terms
  /// except a price.
  private func signed(_ map: StoryMap) throws -> StoreTerms? {
    guard let node = map["signed"] ?? map["decoded"] else { return nil }
    let price = try node.text() == "none" ? nil : try money(node)
    var terms = StoreTerms(
      price: price, storefront: try map.text("signed_in"), share: try map.number("share"))
    terms.isDecoded = map["signed"] == nil
    terms.isSubscription = try map.bool("subscription") ?? false
    let modes = PaymentMode.allCases
    terms.mode = try choice(map["mode"]) { name in modes.first { $0.name == name } }
    return terms
  }

  private func renewal(_ node: StoryNode) throws -> StoreRenewal {
    let map = try node.map([
      "of", "product", "next", "renews", "intent", "retry", "grace", "consent", "increase",
    ])
    guard let chain = try map.text("of") ?? chain else {
      throw node.failure("no row comes before it, so 'of' must name its chain")
    }
    return StoreRenewal(
      of: chain, product: try map.text("product"), next: try map.text("next"),
      renews: try map.bool("renews"), intent: try map.text("intent"),
      retrying: try map.bool("retry"), graceUntil: try map.quoted("grace"),
      consent: try map.text("consent"), increase: try map.text("increase"))
  }

  /// One report; with `crowd`, that number of reports, each of a different customer.
  private mutating func report(_ node: StoryNode) throws -> [StoryStep] {
    let map = try node.map(reportKeys)
    let (price, currency) = try money(map.required("price"))
    var offers = try map["intro"].map { [try offer($0, keys: [])] } ?? []
    offers += try map.list("offers").map { try offer($0, keys: ["id"]) }
      .sorted { ($0.id ?? "") < ($1.id ?? "") }
    let crowd = try map.number("crowd")
    let first = try map.number("first") ?? 1
    var name = try map.text("name")
    reports += 1
    if name == nil, crowd == nil { name = "R\(reports)" }
    let report = StoryReport(
      name: name, time: try map.required("report").quoted(),
      customer: try map.text("customer", standard: "ana"), transaction: try map.text("of"),
      product: try map.text("product") ?? "pro", bundle: try map.text("bundle"),
      storefront: try map.text("storefront", standard: "USA"), currency: currency, price: price,
      offers: offers, applied: try map.text("applied"), file: try map.number("file") ?? 0,
      sender: try choice(map["charged"]) { name in
        ChargeSender.allCases.first { "\($0)" == name }
      }, isTrusted: try map.bool("trusted") ?? false)
    guard let crowd else { return [.report(report)] }
    return (first..<first + crowd).map { number in
      var copy = report
      copy.customer = "c\(number)"
      return .report(copy)
    }
  }

  private let receiptKeys: Set<String> = [
    "receipt", "customer", "storefront", "bundle", "sandbox", "environment", "rows", "in_app",
    "renewal", "file",
    "trusted",
  ]
  private let reportKeys: Set<String> = [
    "report", "name", "of", "customer", "product", "bundle", "storefront", "price", "intro",
    "offers",
    "applied", "file", "crowd", "first", "charged", "trusted",
  ]
}

private func money(_ node: StoryNode) throws -> (digits: String, currency: String) {
  let parts = try node.quoted().split(separator: " ").map { String($0) }
  guard parts.count == 2 else { throw node.failure("expected an amount and a currency") }
  return (parts[0], parts[1])
}

private func choice<Value>(_ node: StoryNode?, _ make: (String) -> Value?) throws -> Value? {
  guard let node else { return nil }
  guard let value = make(try node.text()) else {
    throw node.failure("'\(try node.text())' is no choice here")
  }
  return value
}

/// An offer in a report, which has the report's currency, or in the catalogue.
private func offer(_ node: StoryNode, keys: Set<String>) throws -> StoreOffer {
  let map = try node.map(keys.union(["price", "mode", "periods", "period"]))
  let price = try map.required("price").quoted()
  let (digits, currency) =
    keys.contains("kind") ? try money(map.required("price")) : (price, "USD")
  let modes = PaymentMode.allCases
  let mode = try choice(map["mode"]) { name in modes.first { $0.name == name } }
  var offer = StoreOffer(
    try map.text("id"), price: digits, mode: mode ?? .payAsYouGo,
    count: try map.number("periods") ?? 1, period: try map.text("period") ?? "P1M",
    kind: try choice(map["kind"], Catalogue.OfferKind.init) ?? .offerCode, currency: currency,
    storefront: keys.contains("storefront") ? try map.text("storefront") : nil)
  if keys.contains("fetched") { offer.isFetched = try map.bool("fetched") ?? true }
  if keys.contains("from") { offer.days = (try map["from"]?.quoted(), try map["to"]?.quoted()) }
  return offer
}

private func product(_ node: StoryNode) throws -> StoryProduct {
  let map = try node.map([
    "product", "bundle", "kind", "group", "period", "changes", "prices", "offers",
  ])
  return StoryProduct(
    id: try map.required("product").text(), bundle: try map.text("bundle"),
    kind: try choice(map["kind"], ProductKind.init), group: try map.text("group"),
    period: try map.text("period"),
    changes: try map.list("changes").map { change in
      let fields = try change.map(["currency", "from", "existing", "storefront"])
      return StoryPriceChange(
        currency: try fields.required("currency").text(),
        from: try fields.required("from").quoted(),
        existing: try choice(fields.required("existing"), ExistingSubscribers.init) ?? .moved,
        storefront: try fields.text("storefront"))
    },
    prices: try map.list("prices").map { price in
      let fields = try price.map(["price", "from", "storefront", "fetched"])
      let (digits, currency) = try money(fields.required("price"))
      return StoryListPrice(
        currency: currency, price: digits, from: try fields.required("from").quoted(),
        storefront: try fields.text("storefront"), isFetched: try fields.bool("fetched") ?? false)
    },
    offers: try map.list("offers").map {
      try offer($0, keys: ["id", "kind", "storefront", "from", "to", "fetched"])
    })
}
