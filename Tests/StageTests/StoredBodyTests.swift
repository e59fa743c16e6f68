internal import Crypto
internal import Foundation
internal import TestSupport
internal import Testing

/// The bytes that state.db keeps for `SampleData`, an export of Adapty and a Sales report.
struct StoredBodyTests {
  private static let sales =
    "SKU\tProduct Type Identifier\tUnits\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\t"
    + "Apple Identifier\tCustomer Price\tSubscription\tOrder Type\tPromo Code\n"
    + "pro.monthly\tIAY\t1\t05/08/2021\t05/08/2021\tUSD\tUS\t77\t9.99\tNew\t\t \n"

  private static let adapty =
    "profile_id,event_type,event_datetime,transaction_id,original_transaction_id,"
    + "subscription_expires_at,environment,revenue_local,customer_user_id,store,product_id,currency,"
    + "store_country\n"
    + "p-1,subscription_started,2021-03-02T10:00:00.000000+0000,2010,2010,"
    + "2021-04-02T10:00:00.000000+0000,Production,1.99,u-1,app_store,pro,USD,US\n"
    + "p-1,subscription_renewed,2021-04-02T10:00:00.000000+0000,2011,2010,"
    + "2021-05-02T10:00:00.000000+0000,Production,9.99,u-1,app_store,pro,USD,US\n"

  private static let shop = Result {
    let shop = try Shop()
    let repository = Checkout.folder.path
    let pipeline = try String(
      contentsOfFile: "\(repository)/Pipelines/signed.yaml", encoding: .utf8)
    try shop.folder.write(
      "pipeline.yaml",
      pipeline.replacing("../var/signed/state.db", with: "var/state.db")
        .replacing("../var/signed/", with: "out/")
        .replacing("../SampleData", with: "SampleData")
        .replacing(
          "  catalog:",
          with: "  apple_reports: [\"*-{date}.txt\"]\n"
            + "  exports: [{files: adapty.csv, format: adapty_export}]\n  catalog:"))
    // Texts are numbered as files are read, so one thread reads them, from one folder.
    try FileManager.default.copyItem(
      atPath: "\(repository)/SampleData", toPath: shop.folder.path("SampleData"))
    try shop.folder.write("sales-2021-05-08.txt", sales)
    try shop.folder.write("adapty.csv", adapty)
    let ending = try shop.run("paidline", "run", "--jobs", "1")
    try #require(ending.status == 0, "\(ending.errors)")
    return shop
  }

  /// The hashes of the bodies as the first version with this schema writes them.
  ///
  /// If one of them changes, no state.db of an older version can be read any more.
  @Test(arguments: [
    (
      "body", "chain_part", "chain_key, file_id, piece",
      "10f70f7a0902b54247a44fa109bf2e6eb92b39abd7981b55ba51312d274f547d"
    ),
    (
      "body", "price_report", "evidence_id, file_id",
      "b4f5bf9bb45721b4a7419fc48cc39c67f3bf40b036ed63396223343fd6ab0aab"
    ),
    (
      "customers", "file_keys", "file_id",
      "012f35c7f533252b00abd5a9fc5d4d1fac5cc2414c6eefe08d62f955321f7caa"
    ),
    (
      "lines", "apple_report", "file_id",
      "946e4cec9f6d7cf22e7a9c7004f237d80ba2b10401805e3fb162122825539032"
    ),
    (
      "body", "link", "chain_key",
      "ff9065e228277d916d173d9e02b62dca9ad5a58838194e101d6478e594ccffd0"
    ),
    (
      "body", "placed", "evidence_id",
      "a295dad04a304e53d9a81730727fd4b16c32b60c2168de91bcf8654035c6780e"
    ),
    (
      "body", "vote", "chain_key, evidence_id",
      "3ec3ca82b3d99cda6e814a58f95bcf994054b96b6f4dc921534dc3a57a8294af"
    ),
    (
      "body", "cell_row", "chain_key",
      "71875f83cf95a66d62ac0402aab34983efab80a7b0aaa053047b76903bf123f7"
    ),
  ])
  func `the bodies have the bytes on record`(
    column: String, table: String, order: String, hash: String
  ) throws {
    let bodies = try Self.shop.get().rows(
      "SELECT hex(\(column)) FROM \(table) ORDER BY \(order)", in: "var/state.db")
    #expect(!bodies.isEmpty)
    let sum = SHA256.hash(data: Data(bodies.joined().utf8))
    #expect(sum.map { String(format: "%02x", $0) }.joined() == hash)
  }
}
