internal import Foundation
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// `paidline-fetch prices` with a local replacement of App Store Connect.
struct FetchPricesTests {
  private typealias Row = PlayedConnect.Row

  /// A store whose section `fetch` has settings for prices.
  private static func store(_ more: String = "") throws -> PlayedStore {
    let store = try PlayedStore()
    try store.writePipeline([
      "attempts: 3",
      "prices: {key_id: 2X9R4HXF34, private_key_file: AuthKey.p8, output: fetched.yaml, "
        + "archive: \"apple/prices-{date}-{run}.ndjson.gz\", requests_per_second: 10000, "
        + "url: \"\(store.address)\"\(more)}",
    ])
    return store
  }

  private static func fetch(_ store: PlayedStore, _ connect: PlayedConnect, _ more: String...)
    throws -> Ending
  {
    try store.shop.folder.write("connect.json", try connect.text())
    return try store.shop.run(
      "paidline-fetch", arguments: ["prices", store.shop.pipeline] + more)
  }

  private static func list(_ store: PlayedStore) throws -> String {
    String(decoding: try store.shop.folder.bytes("fetched.yaml"), as: UTF8.self)
  }

  private static var today: String {
    String(Date().formatted(.iso8601.year().month().day()))
  }

  /// An app with one subscription that has all kinds of offers, and three one-time products.
  private static func connect() -> PlayedConnect {
    var connect = PlayedConnect(storefronts: [("USA", "USD"), ("JPN", "JPY"), ("KWT", "KWD")])
    connect.addApp("71", "com.example.shop.lite")
    connect.addApp("70", "com.example.shop")
    connect.addGroup("20611001", "Pro", app: "70")
    connect.addSubscription(
      "9001", "pro.monthly", name: "Pro \"Plus\", a month", group: "20611001",
      prices: [
        Row("USA", "12.99", ["startDate": "2025-03-03", "preserved": false]),
        Row("USA", "9.99", ["preserved": true]), Row("JPN", "1500", ["preserved": false]),
      ],
      introductory: [
        Row(
          "USA", "0.99",
          [
            "duration": "ONE_MONTH", "offerMode": "PAY_AS_YOU_GO", "numberOfPeriods": 3,
            "startDate": "2025-01-01",
          ]),
        Row("JPN", nil, ["duration": "ONE_WEEK", "offerMode": "FREE_TRIAL", "numberOfPeriods": 1]),
      ])
    connect.addOffer(
      "p1", "promotionalOffers", type: "subscriptionPromotionalOffers", of: "9001",
      [
        "name": "Win half back", "offerCode": "win50", "duration": "THREE_MONTHS",
        "offerMode": "PAY_UP_FRONT", "numberOfPeriods": 1,
      ], prices: [Row("USA", "14.99")])
    connect.addOffer(
      "c1", "offerCodes", type: "subscriptionOfferCodes", of: "9001",
      [
        "name": "SPRING", "duration": "ONE_MONTH", "offerMode": "FREE_TRIAL", "numberOfPeriods": 1,
      ], prices: [Row("USA", nil)])
    connect.addOffer(
      "w1", "winBackOffers", type: "winBackOffers", of: "9001",
      [
        "referenceName": "Come back", "offerId": "back1", "duration": "ONE_MONTH",
        "offerMode": "PAY_AS_YOU_GO", "periodCount": 2,
      ], prices: [Row("USA", "4.99")])
    connect.addPurchase(
      "9101", "coins", name: "Coins", type: "CONSUMABLE", app: "70",
      manual: [Row("USA", "0.99")], automatic: [Row("KWT", "0.299"), Row("JPN", "150")])
    connect.addPurchase("9102", "album", name: "Album", type: "NON_CONSUMABLE", app: "70")
    return connect
  }

  @Test func `the list becomes a catalogue: sorted, a line a price, with every kind of offer`()
    throws
  {
    let store = try Self.store()
    let ending = try Self.fetch(store, Self.connect(), "--json")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("\"products\": 3"))
    let seen = "first_seen: \(Self.today)"
    #expect(
      try Self.list(store).split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(
        separator: "\n") == """
          asked_on: \(Self.today)
          products:
            # Album
            - product_id: "album"
              bundle_id: com.example.shop
              name: "Album"
              apple_id: "9102"
              kind: non_consumable
            # Coins
            - product_id: "coins"
              bundle_id: com.example.shop
              name: "Coins"
              apple_id: "9101"
              kind: consumable
              prices:
                - {storefront: JPN, currency: JPY, price: "150", automatic: true, \(seen)}
                - {storefront: KWT, currency: KWD, price: "0.299", automatic: true, \(seen)}
                - {storefront: USA, currency: USD, price: "0.99", \(seen)}
            # Pro "Plus", a month
            - product_id: "pro.monthly"
              bundle_id: com.example.shop
              name: "Pro \\"Plus\\", a month"
              apple_id: "9001"
              kind: auto_renewable_subscription
              subscription_group: "20611001"
              group_name: "Pro"
              group_level: 1
              subscription_period: P1M
              prices:
                - {storefront: JPN, currency: JPY, price: "1500", \(seen)}
                - {storefront: USA, currency: USD, price: "9.99", preserved: true, \(seen)}
                - {storefront: USA, currency: USD, price: "12.99", from: 2025-03-03, \(seen)}
              offers:
                - {kind: introductory, storefront: JPN, currency: JPY, price: "0", payment_mode: free_trial, number_of_periods: 1, subscription_period: P1W, \(seen)}
                - {kind: introductory, storefront: USA, currency: USD, price: "0.99", payment_mode: pay_as_you_go, number_of_periods: 3, subscription_period: P1M, from: 2025-01-01, \(seen)}
                - {kind: offer_code, identifier: "SPRING", storefront: USA, currency: USD, price: "0.00", payment_mode: free_trial, number_of_periods: 1, subscription_period: P1M, \(seen)}
                - {kind: promo, identifier: "back1", name: "Come back", storefront: USA, currency: USD, price: "4.99", payment_mode: pay_as_you_go, number_of_periods: 2, subscription_period: P1M, \(seen)}
                - {kind: promo, identifier: "win50", name: "Win half back", storefront: USA, currency: USD, price: "14.99", payment_mode: pay_up_front, number_of_periods: 1, subscription_period: P3M, \(seen)}
          """)
    // If the same responses arrive in another order on smaller pages, the file is equal and no
    // changes are reported.
    var small = Self.connect()
    small.pageSize = 1
    let again = try Self.fetch(store, small)
    #expect(again == Ending(status: 0, output: "", errors: ""))
    #expect(try store.shop.folder.names("apple").count == 2)
    #expect(try store.asked().contains("connect /v1/subscriptions/9001/prices 2"))
    let archive = gunzip(try store.shop.folder.bytes("apple/prices-\(Self.today)-0001.ndjson.gz"))
    let first = try #require(archive.split(separator: UInt8(ascii: "\n")).first)
    let record = try JSONSerialization.jsonObject(with: Data(first)) as? [String: Any]
    #expect((record?["question"] as? String)?.hasPrefix("/v1/territories?") == true)
  }

  @Test func `products in 175 storefronts come in few questions, each price a line`() throws {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    let codes = letters.flatMap { first in
      letters.flatMap { second in letters.map { "\(first)\(second)\($0)" } }
    }
    let storefronts = codes.filter { Storefront($0)?.code == $0 }.prefix(175).map { ($0, "USD") }
    var connect = PlayedConnect(storefronts: storefronts)
    connect.addApp("70", "com.example.shop")
    connect.addGroup("1", "Pro", app: "70")
    let count = LongTests.areOn ? 50 : 8
    for number in 0..<count {
      connect.addSubscription(
        "9\(number)", "product.\(number)", name: "Product \(number)", group: "1",
        prices: storefronts.map { Row($0.0, "\(number).99") })
    }
    let store = try Self.store()
    let ending = try Self.fetch(store, connect)
    #expect(ending.status == 0, "\(ending.errors)")
    let lines = try Self.list(store).split(separator: "\n").filter { $0.contains("storefront:") }
    #expect(lines.count == count * 175)
    #expect(lines.count { $0.contains("price: \"7.99\"") } == 175)
    // Territories, app, groups, subscriptions, one-time products, and five lists per subscription.
    #expect(try store.asked().count == 5 + count * 5)
  }

  @Test func `a lost connection ends with 69, and the next run asks only for the rest`() throws {
    let store = try Self.store()
    var connect = Self.connect()
    let prices = "/v1/subscriptions/9001/prices"
    connect.faults = [prices: ["cut", "429", "500"], "/v1/territories": ["429", "html"]]
    let broken = try Self.fetch(store, connect)
    #expect(broken.status == 69)
    #expect(broken.errors.contains("App Store Connect cannot be reached (http_500)"))
    #expect(!store.shop.folder.has("fetched.yaml"))
    let asked = try store.asked()
    #expect(asked.filter { $0 == "connect /v1/territories" }.count == 3)
    let whole = try Self.fetch(store, connect, "--json")
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(whole.output.contains("\"resumed\": 4"))
    let rest = try store.asked().dropFirst(asked.count)
    #expect(rest.first == "connect \(prices)")
    #expect(try Self.list(store).contains("price: \"12.99\", from: 2025-03-03"))
    #expect(
      try store.shop.folder.names("apple").filter { !$0.hasPrefix(".") }.count == 1)
  }

  @Test func `what changed is printed, and a price that is no longer named keeps its days`() throws
  {
    let store = try Self.store()
    #expect(try Self.fetch(store, Self.connect()).status == 0)
    // The file as a fetch on an earlier day would have written it.
    let earlier = try Self.list(store).replacing(Self.today, with: "2026-01-31")
    try store.shop.folder.write("fetched.yaml", earlier)
    var later = PlayedConnect(storefronts: [("USA", "USD"), ("JPN", "JPY"), ("KWT", "KWD")])
    later.addApp("70", "com.example.shop")
    later.addGroup("20611001", "Pro", app: "70")
    later.addSubscription(
      "9001", "pro.monthly", name: "Pro", group: "20611001",
      prices: [
        Row("USA", "12.99", ["startDate": "2025-03-03", "preserved": true]),
        Row("USA", "14.99", ["startDate": "2099-01-01"]), Row("JPN", "1500"),
      ])
    let ending = try Self.fetch(store, later)
    #expect(ending.status == 0)
    #expect(
      ending.output == """
        com.example.shop pro.monthly USA 12.99 USD from 2025-03-03, after 9.99 USD, which existing subscribers keep
        com.example.shop pro.monthly USA 14.99 USD from 2099-01-01, after 12.99 USD, which existing subscribers keep
        com.example.shop pro.monthly USA 9.99 USD is no longer listed
        com.example.shop pro.monthly JPN introductory 0 JPY is no longer listed
        com.example.shop pro.monthly USA introductory 0.99 USD is no longer listed
        com.example.shop pro.monthly USA offer_code SPRING 0.00 USD is no longer listed
        com.example.shop pro.monthly USA promo back1 4.99 USD is no longer listed
        com.example.shop pro.monthly USA promo win50 14.99 USD is no longer listed
        com.example.shop album: no longer in App Store Connect
        com.example.shop coins: no longer in App Store Connect

        """)
    #expect(ending.errors.contains("10 prices changed since the last fetch"))
    let list = try Self.list(store)
    for line in [
      "price: \"9.99\", preserved: true, first_seen: 2026-01-31, last_seen: 2026-01-31}",
      "price: \"12.99\", from: 2025-03-03, preserved: true, first_seen: 2026-01-31}",
      "price: \"14.99\", from: 2099-01-01, first_seen: \(Self.today)}",
      "price: \"1500\", first_seen: 2026-01-31}",
      "price: \"150\", automatic: true, first_seen: 2026-01-31, last_seen: 2026-01-31}",
    ] { #expect(list.contains(line), "\(line)") }
    #expect(try Self.fetch(store, later) == Ending(status: 0, output: "", errors: ""))
    #expect(try Self.list(store) == list)
  }

  @Test func `prices are fetched without a key for the App Store Server API`() throws {
    let store = try Self.store()
    let pipeline = String(decoding: try store.shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    let ofServer = ["  key_id:", "  private_key_file:", "  output:", "  notifications_output:"]
    let lines = pipeline.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { line in !ofServer.contains { line.hasPrefix($0) } }
    try store.shop.folder.write("pipeline.yaml", lines.joined(separator: "\n"))
    #expect(try Self.fetch(store, Self.connect()).status == 0)
    #expect(try Self.list(store).contains("price: \"12.99\""))
    let history = try store.shop.run("paidline-fetch", arguments: ["history", store.shop.pipeline])
    #expect(history.status == 78 && history.errors.contains("issuer_id, key_id, private_key_file"))
  }

  @Test func `a wrong key, an unknown app and a file of the owner's are told with their remedy`()
    throws
  {
    let store = try Self.store(", issuer_id: someone")
    let refused = try Self.fetch(store, Self.connect())
    #expect(refused.status == 78 && refused.errors.contains("role App Manager or Admin"))
    let other = try Self.store()
    let unknown = try Self.fetch(other, PlayedConnect(storefronts: [("USA", "USD")]))
    #expect(unknown.status == 65 && unknown.errors.contains("has no app com.example.shop"))
    try other.shop.folder.write("fetched.yaml", "products: []\n")
    let owner = try Self.fetch(other, Self.connect())
    #expect(owner.status == 78 && owner.errors.contains("written by hand"))
    let plain = try PlayedStore()
    let missing = try Self.fetch(plain, Self.connect())
    #expect(missing.status == 78 && missing.errors.contains("expected a section fetch.prices"))
    let pipeline = String(decoding: try plain.shop.folder.bytes("pipeline.yaml"), as: UTF8.self)
    try plain.shop.folder.write(
      "pipeline.yaml",
      String(pipeline.prefix(upTo: try #require(pipeline.range(of: "fetch:")).lowerBound)))
    let without = try Self.fetch(plain, Self.connect())
    #expect(without.status == 78 && without.errors.contains("expected a section fetch.prices"))
  }
}
