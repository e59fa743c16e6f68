internal import Foundation
internal import TestSupport
internal import Testing

/// The commands that advice asks for, pasted into a shell.
struct CatalogAddTests {
  private static let catalogue = """
    # Ours; ask Kim before you change a price.
    products:
      - product_id: pro   # the flagship
        kind: auto_renewable_subscription

    """

  /// A shop in which the price of `pro` rose from 9.99 to 12.99 USD before Ana's second renewal.
  private static let risen = Result {
    let shop = try Shop(inputs: ["catalog: catalog.yaml"], more: "reporting_currency: USD")
    try shop.folder.write("catalog.yaml", catalogue)
    var receipts = ""
    for number in 1...4 {
      receipts += Export.purchase(
        1000 + number, day: "2024-01-0\(number)", customer: "a\(number)", price: "9.99")
      receipts += Export.purchase(
        2000 + number, day: "2024-03-0\(number)", customer: "b\(number)", price: "12.99")
    }
    receipts += Export.purchase(1101, day: "2024-04-01", customer: "a1", price: nil, original: 1001)
    try shop.folder.write("in/a.ndjson", receipts)
    return (shop, try shop.run("paidline", "run"))
  }

  private static let amount = "SELECT paid_milli FROM fct_revenue WHERE transaction_id = '1101'"

  private static func text(_ shop: Shop) throws -> String {
    String(decoding: try shop.folder.bytes("catalog.yaml"), as: UTF8.self)
  }

  /// Runs a line as a shell does, with the programs in its path.
  private func paste(_ line: String, in shop: Shop) throws -> Ending {
    try shop.run(
      "/bin/sh", arguments: ["-c", line],
      environment: ["PATH": "\(Shop.executables.path):/usr/bin:/bin"])
  }

  @Test(arguments: [("moved", "12990"), ("preserved", "9990")])
  func `the command of a message makes the amount known, and comments stay`(
    subscribers: String, paid: String
  ) throws {
    let (prepared, ending) = try Self.risen.get()
    #expect(ending.status == 0)
    let shop = try ShopBeforeRun.copy(of: prepared)
    #expect(try shop.rows(Self.amount) == ["NULL"])
    let text =
      subscribers == "moved"
      ? ending.errors : try shop.run("paidline", "status", "--advice").output
    // The warning above the advice has the command, too.
    let start = try #require(text.range(of: "paidline catalog add ", options: .backwards))
    let proposed = text[start.lowerBound...].prefix { $0 != "(" && $0 != "\n" }
    let command = String(proposed).replacing("preserved", with: subscribers)
    #expect(proposed.contains("--existing-subscribers preserved"), "\(proposed)")
    #expect(
      command.hasPrefix(
        "paidline catalog add --product pro --currency USD --from 2024-03-01 "
          + "--existing-subscribers \(subscribers)"), "\(command)")
    let added = try paste(String(command), in: shop)
    #expect(added.status == 0, "\(added.errors)")
    #expect(
      added.output == "catalog.yaml:6: added; the next run uses this line. Remove it to undo.\n")
    #expect(
      try Self.text(shop) == Self.catalogue
        + "    price_changes:\n      - {currency: USD, from: 2024-03-01, "
        + "existing_subscribers: \(subscribers)}\n")
    #expect(try shop.run("paidline", "run").status == 0)
    #expect(try shop.rows(Self.amount) == [paid])
    let again = try paste(String(command), in: shop)
    #expect(again.status == 78, "\(again)")
    #expect(again.errors.contains("catalog.yaml:"))
  }

  @Test(arguments: [
    ("--product por --currency USD --price 9.99 --from 2024-01-01", "did you mean pro? Nothing"),
    ("--product pro --currency EUR --price 9.99 --from 2024-01-01", "its purchases are in USD"),
    (
      "--product pro --currency USD --storefront CAN --price 9.99 --from 2024-01-01",
      "its purchases are in USA"
    ),
    (
      "--product pro --currency USD --price 9.99 --from 2024-06-01",
      "the last purchase that it could be about was on 2024-04-01"
    ),
    (
      "--product pro --bundle-id com.other --currency USD --price 9.99 --from 2024-01-01",
      "its purchases are of com.example"
    ),
    (
      "--product pro --offer X1 --kind promo --currency USD --price 1 --payment-mode pay_up_front",
      "nobody redeemed the offer X1 of pro"
    ),
  ])
  func `a line that cannot help is refused with the nearest that could`(
    options: String, reason: String
  ) throws {
    let (shop, _) = try Self.risen.get()
    let before = try Self.text(shop)
    let ending = try paste("paidline catalog add \(options)", in: shop)
    #expect(ending.status == 65, "\(ending)")
    #expect(ending.errors.contains("this line could not help: "))
    #expect(ending.errors.contains(reason), "\(ending.errors)")
    #expect(try Self.text(shop) == before)
  }

  @Test(arguments: [
    ("--product pro --currency USD --price AMOUNT --from 2024-01-01", "an amount such as 12.99"),
    ("--product pro --currency USD --price 9.99", "a price needs --from"),
    ("--product pro --currency USD --from 2024-01-01", "or --existing-subscribers"),
    (
      "--product pro --currency USD --price 9.99 --from 2024-01-01 --kind promo",
      "a price has no --kind"
    ),
  ])
  func `an unfinished command says what it expects`(options: String, expected: String) throws {
    let ending = try paste("paidline catalog add \(options)", in: Shop())
    #expect(ending.status == 64)
    #expect(ending.errors.contains(expected), "\(ending.errors)")
  }

  @Test func `a pipeline without a catalogue says where to write one`() throws {
    let ending = try paste(
      "paidline catalog add --product pro --currency USD --price 9.99 --from 2024-01-01",
      in: Shop())
    #expect(ending.status == 78)
    #expect(ending.errors.contains("\n  catalog: catalog.yaml"), "\(ending.errors)")
  }
}
