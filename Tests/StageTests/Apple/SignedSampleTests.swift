internal import Foundation
internal import SampleStore
internal import TestSupport
internal import Testing

/// The signed transactions of `SampleData`, with `Pipelines/signed.yaml` and the real executables.
struct SignedSampleTests {
  private static let repository = Checkout.folder.path
  private static let run = Result { try sample() }

  private static func sample() throws -> Shop {
    let shop = try Shop()
    let pipeline = try String(
      contentsOfFile: "\(repository)/Pipelines/signed.yaml", encoding: .utf8)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing("../var/signed/state.db", with: "var/state.db")
        .replacing("../var/signed/", with: "out/")
        .replacing("../SampleData", with: "\(repository)/SampleData"))
    let ending = try shop.run("paidline", "run")
    try #require(ending.status == 0, "\(ending.errors)")
    return shop
  }

  @Test func `each form is read, and the forged line alone is rejected`() throws {
    let shop = try Self.run.get()
    #expect(
      try shop.rows("SELECT records, used, rejected FROM audit_file WHERE kind = 'signed'")
        == ["20|19|1"])
    #expect(
      try shop.rows(
        """
        SELECT source_line, reason_code FROM rejected_record
        JOIN audit_file USING (source_file_id) WHERE kind = 'signed'
        """) == ["20|token_root_not_trusted"])
    let status = try shop.run("paidline", "status").output
    #expect(status.contains(" verified, 2 unsigned, 1 rejected\n"), "\(status)")
  }

  @Test func `Apple's signatures tell unknown amounts, and the truth stays as it is`() throws {
    let shop = try Self.run.get()
    let truth = SampleStore(.showcase).truth
    let score = TruthScore(
      truth, purchases: try shop.scoredPurchases(), offers: try shop.scoredOffers())
    #expect(score.missing == 0 && score.unexpected == 0, "\(score.examples)")
    #expect(score.wrongButExact == 0 && score.outOfBounds == 0, "\(score.examples)")
    #expect(score.resolvableRight == score.resolvable, "\(score.examples)")
    #expect(score.offersRight == score.offers, "\(score.examples)")
    // 24.990 dinars that no report has; an offer code without a catalogue entry; a consent that no
    // snapshot shows.
    #expect(
      try shop.rows(
        """
        SELECT transaction_id, paid_milli, currency, price_rule FROM fct_revenue WHERE
        transaction_id IN ('100000831054003', '100000831015003', '100000831022012') ORDER BY 1
        """) == [
          "100000831015003|6990|GBP|signed_price", "100000831022012|5990|USD|signed_price",
          "100000831054003|24990|KWD|signed_price",
        ])
    // The forged token is about this purchase, with the same price: only the catalogue is used.
    #expect(
      try shop.rows(
        "SELECT DISTINCT price_rule FROM fct_revenue WHERE transaction_id LIKE '100000831053%'")
        == ["catalogue_price"])
  }

  @Test func `the backtest prints its table`() throws {
    let shop = try Self.run.get()
    let text = try shop.run("paidline", "backtest").output
    #expect(text.contains("Apple signed the price of "), "\(text)")
    #expect(text.contains("unresolved"), "\(text)")
  }
}
