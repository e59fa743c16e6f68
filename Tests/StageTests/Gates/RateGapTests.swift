internal import TestSupport
internal import Testing

/// The owner's rates have days without a usable rate.
struct RateGapTests {
  private static func shop(_ own: String, in currency: String) throws -> Shop {
    let shop = try Shop(
      inputs: ["rates: bank.csv", "more_rates: own.csv"], more: "reporting_currency: \(currency)")
    try shop.folder.write(
      "bank.csv",
      "Date,USD,\n2021-03-01,1.20,\n2021-02-15,1.20,\n2021-02-08,1.20,\n2021-02-01,1.20,\n")
    try shop.folder.write("own.csv", "day,currency,rate\n\(own)")
    try shop.folder.write(
      "in/a.ndjson",
      Export.purchase(1001, day: "2021-01-05") + Export.purchase(1002, day: "2021-03-05"))
    return shop
  }

  @Test func `the first gap is named with its currency, its days and the remedy`() throws {
    // The rate of February 1 is used until February 8. SAR has a gap later.
    let shop = try Self.shop(
      "2021-02-01,TWD,34\n2021-03-01,TWD,33\n2021-02-08,SAR,4\n2021-03-01,SAR,4\n", in: "USD")
    let ending = try shop.run("paidline", "run")
    #expect(ending.status == 0)
    #expect(
      ending.errors.contains(
        "paidline-reconstruct: warning: inputs.more_rates has no usable rate of TWD from "
          + "2021-02-09 to 2021-02-28: amounts in TWD of these days stay NULL in the reporting currency, "
          + "because a rate is used for at most 7 days. Add a rate for each week, on a day for "
          + "which there is a rate of USD. Not listed: 1 later gap in SAR. More: Docs/inputs.md.\n")
    )
    // The fault is standing: a second run does not repeat it.
    try shop.folder.write("in/b.ndjson", Export.purchase(1003, day: "2021-03-05"))
    #expect(try !shop.run("paidline", "run").errors.contains("more_rates"))
  }

  @Test func `a rate for each week is enough`() throws {
    let shop = try Self.shop(
      "2021-02-01,TWD,34\n2021-02-08,TWD,34\n2021-02-15,TWD,34\n2021-02-22,TWD,34\n", in: "EUR")
    #expect(try !shop.run("paidline", "run").errors.contains("more_rates"))
  }
}
