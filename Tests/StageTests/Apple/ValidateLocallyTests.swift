internal import Foundation
internal import ReceiptSigning
internal import TestSupport
internal import Testing

/// `paidline-validate --local` with receipts that are signed under a test root.
struct ValidateLocallyTests {
  private static let root = "root_certificate: root.cer"

  private static func shop(_ signer: ReceiptSigner) throws -> PlayedApple {
    let apple = try PlayedApple(root)
    try apple.shop.folder.write("root.cer", bytes: signer.root)
    return apple
  }

  private static func line(_ receipt: [UInt8], customer: String, more: String = "") -> String {
    let base64 = Data(receipt).base64EncodedString()
    return "{\"customer_id\":\"\(customer)\",\"receipt\":\"\(base64)\"\(more)}\n"
  }

  @Test func `signed receipts become an export, and Apple is not asked`() throws {
    let signer = try ReceiptSigner()
    let apple = try Self.shop(signer)
    let report = """
      ,"price_report":{"transaction_id":"1001","product_id":"pro","currency":"USD",\
      "price":"9.99","reported_at":"2021-03-01T10:00:05Z"}
      """
    let sandbox = ReceiptText([
      (0, .text("ProductionSandbox")), (2, .text("com.example")),
      (12, .time("2021-03-06T00:00:00Z")),
      (
        17,
        .attributes([
          (1702, .text("pro")), (1703, .text("1002")), (1705, .text("1002")),
          (1704, .time("2021-03-02T00:00:00Z")), (1708, .time("2021-03-02T00:05:00Z")),
          (1711, .number(7)), (1713, .number(1)),
        ])
      ),
    ])
    try apple.shop.folder.write(
      "raw/a.ndjson",
      Self.line(try signer.sign(ReceiptText.monthly().bytes()), customer: "ana", more: report)
        + Self.line(try signer.sign(sandbox.bytes()), customer: "ben"))
    #expect(try apple.validate("--local") == Ending(status: 0, output: "", errors: ""))
    #expect(try apple.asked().isEmpty)
    #expect(try apple.shop.run("paidline", "run", apple.shop.pipeline).status == 0)
    #expect(
      try apple.shop.rows(
        """
        SELECT transaction_id, web_order_line_item_id, product_id, purchased_at, expires_at,
          is_trial_period, quantity, bundle_id, paid_milli FROM fct_revenue
        """) == [
          "1001|5001|pro|2021-03-01T10:00:00Z|2021-04-01T10:00:00Z|0|1|com.example|9990"
        ])
    #expect(
      try apple.shop.rows("SELECT transaction_id, reason FROM excluded_purchase")
        == ["1002|sandbox"])
    // The receipt's creation time is the snapshot time.
    #expect(try apple.shop.rows("SELECT as_of FROM audit_run") == ["2021-03-06T00:00:00Z"])
  }

  @Test func `nothing is used without a valid signature, and another root may cure it`() throws {
    let signer = try ReceiptSigner()
    let stranger = try ReceiptSigner()
    let apple = try Self.shop(signer)
    let fine = try signer.sign(ReceiptText.monthly().bytes())
    var changed = fine
    let id = try #require(Data(changed).range(of: Data("1001".utf8)))
    changed[id.lowerBound] = UInt8(ascii: "2")
    try apple.shop.folder.write(
      "raw/a.ndjson",
      Self.line(fine, customer: "ana") + Self.line(changed, customer: "mal")
        + Self.line(try stranger.sign(ReceiptText.monthly().bytes()), customer: "eve")
        + Self.line(Array("no container".utf8), customer: "nan"))
    let ending = try apple.validate("--local")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("3 receipts rejected"))
    #expect(Set(try apple.records().keys) == ["ana"])
    let listed = try apple.validate("--unsettled").output
    #expect(listed.contains("2  rejected  signature_invalid"))
    #expect(listed.contains("3  rejected  signer_not_trusted"))
    #expect(listed.contains("4  rejected  container_unreadable"))
    try apple.shop.folder.write("root.cer", bytes: stranger.root)
    #expect(try apple.validate("--local").errors.contains("2 receipts rejected"))
    #expect(Set(try apple.records().keys) == ["ana", "eve"])
  }

  @Test func `Apple can still be asked about what was read without her`() throws {
    let signer = try ReceiptSigner()
    let apple = try Self.shop(signer)
    try apple.shop.folder.write(
      "raw/a.ndjson", Self.line(try signer.sign(ReceiptText.monthly().bytes()), customer: "ana"))
    #expect(try apple.validate("--local").status == 0)
    #expect(try apple.validate("--local").status == 0)
    #expect(try apple.exports().count == 1)
    #expect(try apple.validate().status == 0)
    #expect(try apple.asked().count == 1)
    #expect(try apple.exports().count == 2)
  }

  @Test func `a root certificate that is missing or none is told`() throws {
    let apple = try PlayedApple()
    try apple.write(["ok-1"])
    let ending = try apple.validate("--local")
    #expect(ending.status == 78)
    #expect(ending.errors.contains("needs validate.root_certificate"))
    try apple.writePipeline([Self.root])
    #expect(try apple.validate("--local").status == 66)
    try apple.shop.folder.write("root.cer", "no certificate")
    #expect(try apple.validate("--local").status == 78)
    #expect(try apple.validate("--local", "--older-than", "1d").status == 64)
    #expect(try apple.asked().isEmpty)
  }
}
