internal import Foundation
internal import ReceiptSigning

/// The response to a request for notifications: three pages for a span of 180 days, one page for a
/// shorter span.
///
/// The first request for the second page fails.
struct NotificationAnswer {
  /// The request as in the log: `production notifications 180 page-2`; a hyphen stands for the
  /// first page.
  static func name(_ body: Data, token: String?, environment: String) throws -> String {
    "\(environment) notifications \(try days(body)) \(token ?? "-")"
  }

  var status = 200
  var text: String

  init(_ body: Data, token: String?, environment: String, attempt: Int, signer: TokenSigner) throws
  {
    let page = token.flatMap { $0.split(separator: "-").last }.flatMap { Int($0) } ?? 1
    let pages = try Self.days(body) > 90 ? 3 : 1
    let chain = "100100000\(page)"
    let transaction = try signer.sign(
      HistoryAnswer.transaction(chain, page: 0, index: 0, environment))
    let payload = try signer.sign(
      """
      {"notificationType":"SUBSCRIBED","subtype":"INITIAL_BUY",\
      "notificationUUID":"5f1a-\(page)","version":"2.0","signedDate":1735689600000,\
      "data":{"bundleId":"\(PlayedKey.bundle)",\
      "environment":"\(HistoryAnswer.name(environment))",\
      "signedTransactionInfo":"\(transaction)"}}
      """)
    let next = page < pages ? "\"paginationToken\":\"page-\(page + 1)\"," : ""
    text = """
      {\(next)"hasMore":\(page < pages),"notificationHistory":[
      {"sendAttempts":[{"attemptDate":1735689600000,"sendAttemptResult":"SUCCESS"}],
      "signedPayload":"\(payload)"}]}
      """
    if page == 2, attempt == 1 {
      let failure = HistoryAnswer(error: 5_000_001, status: 500)
      (status, text) = (failure.status, failure.text)
    }
  }

  /// The requested span in whole days.
  private static func days(_ body: Data) throws -> Int {
    let members = try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:]
    let (from, through) = (members["startDate"] as? Int ?? 0, members["endDate"] as? Int ?? 0)
    return (through - from + 43_200_000) / 86_400_000
  }
}
