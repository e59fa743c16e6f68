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
      "c8f7a89a7e9ac7bd0a8f8b435d6221bc9a96ab0fbd50d2529faaa51ed11f28c7"
    ),
    (
      "body", "price_report", "evidence_id, file_id",
      "e5276d8065fac5f601f01c7a2578e0d12db807bc98e4488ca4ec597f13b7e626"
    ),
    (
      "customers", "file_keys", "file_id",
      "0e6e1890c5700df87e1c4fe65e1110fd5b22e89c7bbc0cbfba4ef48fc5defed0"
    ),
    (
      "lines", "apple_report", "file_id",
      "946e4cec9f6d7cf22e7a9c7004f237d80ba2b10401805e3fb162122825539032"
    ),
    (
      "body", "link", "chain_key",
      "b72686d07667e539e3d041ed65bae2efb96a1059f2d4828f649ca487e18fb97a"
    ),
    (
      "body", "placed", "evidence_id",
      "a6ebcb6e86fd3990355670fe0cf09c5227d64e06f0077506425f1fe052ad2055"
    ),
    (
      "body", "vote", "chain_key, evidence_id",
      "64019e697128b17464888b30881f9546e2a2276ecd05e9f3e255942ee9a940af"
    ),
    (
      "body", "cell_row", "chain_key",
      "17bd7a5e70f79ca58379a52cd49ad5d359900657314b0012cc79c73c548a02f6"
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
