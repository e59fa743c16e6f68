/// The response to a request, determined by the words in the receipt's text.
///
/// - `ok-N`: transaction N, bought in production.
/// - `test-N`: known only to the sandbox; production responds with 21007.
/// - `moved-N`: at first production responds with 21007 and the sandbox with 21008; then production
///   returns the transaction.
/// - `status-S-N`: always status S; `again-S-N` and `never-S-N` with is-retryable 1 and 0.
/// - `busy-K-N`: 21005 K times, `down-K-N`: HTTP 503, `html-K-N`: not JSON, `cut-K-N`: half a
///   response; then as `ok`.
/// - `slow-MS-N`: as `ok` after MS milliseconds; `drip-N`: a byte every 200 milliseconds.
/// - `huge-N`: as `ok` after 17 MiB of blanks, more than Apple ever sends.
/// - `echo-N`: as `ok`, and repeats the secret.
///
/// For a wrong secret the response is always 21004.
struct Answer {
  var status = 200
  var text = ""
  var delay = 0
  var isBroken = false
  var isDripping = false
  var retryAfter: String?

  init(_ receipt: String, environment: String, attempt: Int, password: String?) {
    let words = receipt.split(separator: "-").map(String.init)
    let kind = words.first ?? ""
    let id = words.last ?? "0"
    let number = words.count > 2 ? Int(words[1]) ?? 0 : 0
    guard password == FakeApple.secret else {
      text = "{\"status\":21004}"
      return
    }
    text = Self.transaction(id, environment: environment)
    let isFailing = attempt <= number
    switch kind {
    case "test" where environment == "production": text = "{\"status\":21007}"
    case "moved" where environment == "sandbox": text = "{\"status\":21008}"
    case "moved" where attempt == 1: text = "{\"status\":21007}"
    case "status": text = "{\"status\":\(number),\n\"environment\":\"Production\"}"
    case "again": text = "{\"status\":\(number),\"is-retryable\":1}"
    case "never": text = "{\"status\":\(number),\"is_retryable\":\"0\"}"
    case "busy" where isFailing: text = "{\"status\":21005}"
    case "down" where isFailing: (status, retryAfter) = (503, "0")
    case "html" where isFailing: text = "<html>Bad gateway</html>"
    case "cut": isBroken = isFailing
    case "slow": delay = number
    case "drip": isDripping = true
    case "huge": text = String(repeating: " ", count: 17 << 20) + text
    case "echo": text = "{\"status\":0,\"password\":\"\(FakeApple.secret)\"}"
    default: break
    }
  }

  /// A response in Apple's format, including line ends.
  private static func transaction(_ id: String, environment: String) -> String {
    """
    {"environment":"\(environment == "production" ? "Production" : "Sandbox")",
    "receipt":{"bundle_id":"com.example","request_date_ms":"1614600000000","in_app":[]},
    "latest_receipt_info":[{"transaction_id":"\(id)","original_transaction_id":"\(id)",
    "web_order_line_item_id":"9\(id)","product_id":"pro","purchase_date_ms":"1614556800000",
    "expires_date_ms":"1617235200000","is_trial_period":"false",
    "is_in_intro_offer_period":"false","quantity":"1"}],
    "status":0}
    """
  }
}
