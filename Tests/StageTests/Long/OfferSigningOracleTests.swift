internal import Foundation
internal import TestSupport
internal import Testing

/// Apple's own library signs the same texts and claims as `paidline sign-offers`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["PAIDLINE_LONG"] == "1"))
struct OfferSigningOracleTests {
  @Test func `Apple's library agrees on the signatures of a thousand customers`() throws {
    let made = try SignOffersTests.OfferShop()
    let odd = ["win50", "códe", "a\\\"b\\\\c", "🎁 gift"]
    let list = (0..<1000).map { number in
      let token = number % 3 == 0 ? "" : ",\"app_account_token\":\"\(UUID().uuidString)\""
      let customer = number % 10 == 9 ? "nobody-\(number)" : "ana"
      return """
        {"customer_id":"\(customer)","product_id":"pro","offer_id":"\(odd[number % 4])",\
        "transaction_id":"\(1000 + number)"\(token)}

        """
    }.joined()
    let ending = try made.sign(list, "--output", "signed")
    #expect(ending.status == 0)
    let folder = made.shop.folder
    try folder.write("list", list)
    let (status, said) = try ReaderTests.run(
      "offers.py", folder.path("AuthKey.p8"), folder.path("list"), folder.path("signed"))
    #expect(status == 0 && said.hasPrefix("900 verified, 0 differ"), "\(said)")
  }
}
