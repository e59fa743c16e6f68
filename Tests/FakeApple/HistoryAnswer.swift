internal import Foundation
internal import ReceiptSigning

/// The response to a request for a chain's history, by the first four digits of its number.
///
/// - `10NN`: NN pages of two transactions; a request after the last page returns one page with one
///   transaction.
/// - `11`: known only to the sandbox; `12`: known to neither environment (4040010).
/// - `13NN`: 429 with `Retry-After` NN times, `14NN`: 500, `15NN`: half a response, then as `1001`.
/// - `16`: the second of two pages is refused once, because its revision is invalid (4000005).
/// - `17NN`: as `1001` after NN × 10 milliseconds.
/// - `18`: a page with a revision that returns the same page.
/// - `19NN`: a page with the chains `19NN000001` to `19NN0000NN`, of one Apple account.
/// - `20`: the request is wrong (4000006).
/// - `21`: two pages that lead to each other.
/// - `22`: the revision of the second page is never valid (4000005).
struct HistoryAnswer {
  var status = 200
  var text: String
  var retryAfter: String?
  var delay = 0
  var isBroken = false

  init(
    _ chain: String, revision: String?, environment: String, attempt: Int, signer: TokenSigner
  ) throws {
    let number = Int(chain.dropFirst(2).prefix(2)) ?? 1
    // The second page returned the token `1001000017-2`; a request with this token is for the third
    // page.
    let page = revision.flatMap { $0.split(separator: "-").last }.flatMap { Int($0) } ?? 0
    func answer(pages: Int, chains: [String]) throws -> String {
      let tokens = try chains.flatMap { chain in
        try (0..<(page < pages ? 2 : 1)).map {
          try signer.sign(Self.transaction(chain, page: page, index: $0, environment))
        }
      }
      return Self.page(
        tokens, revision: "\(chain)-\(page + 1)", hasMore: page + 1 < pages, environment)
    }
    text = try answer(pages: 1, chains: [chain])
    let isFailing = attempt <= number
    switch chain.prefix(2) {
    case "10": text = try answer(pages: number, chains: [chain])
    case "11" where environment == "production": self = HistoryAnswer(error: 4_040_010, status: 404)
    case "12": self = HistoryAnswer(error: 4_040_010, status: 404)
    case "13" where isFailing:
      self = HistoryAnswer(error: 4_290_000, status: 429)
      // A time in milliseconds since 1970, as Apple sends it.
      retryAfter = String(Int64(Date().timeIntervalSince1970 * 1000) + 300)
    case "14" where isFailing: self = HistoryAnswer(error: 5_000_000, status: 500)
    case "15": isBroken = isFailing
    case "16" where page == 1 && attempt == 1: self = HistoryAnswer(error: 4_000_005, status: 400)
    case "16": text = try answer(pages: 2, chains: [chain])
    case "17": delay = number * 10
    case "18": text = Self.page([], revision: "same", hasMore: true, environment)
    case "19":
      text = try answer(
        pages: 1,
        chains: (1...number).map { String((Int(chain) ?? 0) / 1_000_000 * 1_000_000 + $0) })
    case "21":
      text = Self.page(
        [], revision: "\(chain)-\(page == 1 ? 2 : 1)", hasMore: true, environment)
    case "22" where page > 0: self = HistoryAnswer(error: 4_000_005, status: 400)
    case "22": text = try answer(pages: 2, chains: [chain])
    case "20": self = HistoryAnswer(error: 4_000_006, status: 400)
    default: break
    }
  }

  /// A response with one of Apple's error codes.
  init(error: Int, status: Int) {
    self.status = status
    text = "{\"errorCode\":\(error),\"errorMessage\":\"Played.\"}"
  }

  /// A response with line ends, which any JSON may have.
  private static func page(
    _ tokens: [String], revision: String, hasMore: Bool, _ environment: String
  ) -> String {
    """
    {"revision":"\(revision)","hasMore":\(hasMore),
    "bundleId":"\(PlayedKey.bundle)","environment":"\(name(environment))",
    "signedTransactions":[\(tokens.map { "\"\($0)\"" }.joined(separator: ","))]}
    """
  }

  /// A month at 9.99 USD; the months of a chain are consecutive from 2024-01-01.
  static func transaction(_ chain: String, page: Int, index: Int, _ environment: String) -> String {
    let month = page * 2 + index
    let start = 1_704_067_200_000 + month * 2_592_000_000
    return """
      {"transactionId":"\(chain)\(100 + month)","originalTransactionId":"\(chain)",\
      "webOrderLineItemId":"7\(chain)\(100 + month)","bundleId":"\(PlayedKey.bundle)",\
      "productId":"pro","subscriptionGroupIdentifier":"20611001","purchaseDate":\(start),\
      "originalPurchaseDate":1704067200000,"expiresDate":\(start + 2_592_000_000),\
      "quantity":1,"type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED",\
      "signedDate":1735689600000,"environment":"\(name(environment))","storefront":"USA",\
      "transactionReason":"\(month == 0 ? "PURCHASE" : "RENEWAL")","price":9990,"currency":"USD"}
      """
  }

  /// The environment as payloads state it.
  static func name(_ environment: String) -> String {
    environment == "production" ? "Production" : "Sandbox"
  }
}
