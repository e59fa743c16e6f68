@testable internal import AppStoreClient
internal import CivilTime
internal import Testing

private func verdict(
  _ text: String, from environment: AppleEnvironment = .production, secret: AppSecret? = nil
) -> ReplyMeaning<AppleAnswer> {
  AppleAnswer.meaning(
    of: .answer(status: 200, retryAfter: nil, body: Array(text.utf8)), from: environment,
    secret: secret)
}

private func answer(_ status: Int, _ text: String) -> ReplyMeaning<AppleAnswer> {
  .settled(.answer(AppleAnswer(status: status, text: Array(text.utf8))))
}

private func rejected(_ reason: String) -> ReplyMeaning<AppleAnswer> {
  .settled(.rejected(reason: reason))
}

@Test func `an answer with usable rows or a last word stands`() {
  for status in [0, 21006, 21010] {
    let text = "{\"status\":\(status)}"
    #expect(verdict(text) == answer(status, text))
    #expect(verdict(text, from: .sandbox) == answer(status, text))
  }
}

@Test func `a receipt of the other environment is asked about there, and only there`() {
  #expect(verdict("{\"status\":21007}") == .elsewhere(.sandbox))
  #expect(verdict("{\"status\":21008}", from: .sandbox) == .elsewhere(.production))
  #expect(verdict("{\"status\":21008}") == rejected("status_21008"))
  #expect(verdict("{\"status\":21007}", from: .sandbox) == rejected("status_21007"))
}

@Test func `a wrong secret and a perhaps malformed receipt are cases of their own`() {
  let wrong = ReplyMeaning<AppleAnswer>.settled(.refused(reason: "status_21004"))
  #expect(verdict("{\"status\":21004}") == wrong)
  #expect(verdict("{\"status\":21004}", from: .sandbox) == wrong)
  #expect(verdict("{\"status\":21002}") == rejected(AppleAnswer.perhapsMalformed))
}

@Test func `a receipt that failed for a moment is asked about again`() {
  for status in [21005, 21009] {
    #expect(verdict("{\"status\":\(status)}") == .again(reason: "status_\(status)", after: nil))
  }
  for flag in ["true", "1", "\"1\"", "\"true\""] {
    for key in ["is_retryable", "is-retryable"] {
      #expect(
        verdict("{\"status\":21100,\"\(key)\":\(flag)}")
          == .again(reason: "status_21100", after: nil))
    }
  }
}

@Test func `an incurable receipt is rejected`() {
  for status in [1, 21000, 21001, 21003, 21011, 21100, 21199, 21200, -1] {
    #expect(verdict("{\"status\":\(status)}") == rejected("status_\(status)"))
  }
  for flag in ["false", "0", "\"0\"", "null"] {
    #expect(
      verdict("{\"status\":21150,\"is-retryable\":\(flag)}") == rejected("status_21150"))
  }
}

@Test func `a receipt with half an answer is asked about again`() {
  let texts = [
    "", "<html></html>", "{\"status\":0", "{\"status\":0}}", "[]", "{}", "{\"status\":null}",
    "{\"status\":0.5}", "{\"status\":0,\"status\":21003}", "{\"status\":0,\"a\":\"\n\"}",
  ]
  for text in texts {
    #expect(verdict(text) == .again(reason: "unreadable_answer", after: nil), "\(text)")
  }
  #expect(
    AppleAnswer.meaning(
      of: .answer(status: 503, retryAfter: "7", body: []), from: .production, secret: nil)
      == .again(reason: "http_503", after: .seconds(7)))
  for failure in ServiceFailure.allCases {
    #expect(
      AppleAnswer.meaning(of: .failure(failure), from: .sandbox, secret: nil)
        == .again(reason: failure.rawValue, after: nil))
  }
}

@Test func `an answer becomes one line, its status read from a number or from text`() {
  #expect(
    verdict("\r\n{\"a\":{\"status\":1},\n\"status\":\"0\"}\n")
      == answer(0, "  {\"a\":{\"status\":1}, \"status\":\"0\"} "))
}

@Test func `an answer that repeats the secret is not used`() throws {
  let secret = try #require(AppSecret(Array(" 0123abc\n".utf8)))
  #expect(
    verdict("{\"status\":0,\"x\":\"-0123abc-\"}", secret: secret)
      == rejected("answer_repeats_secret"))
  #expect(verdict("{\"status\":0}", secret: secret) == answer(0, "{\"status\":0}"))
}

@Test func `a secret shows itself in the question alone`() throws {
  let secret = try #require(AppSecret(Array("0123abc".utf8)))
  var dumped = ""
  dump(secret, to: &dumped)
  for text in ["\(secret)", String(describing: secret), String(reflecting: secret), dumped] {
    #expect(!text.contains("0123"))
  }
  #expect(
    String(
      decoding: AppSecret.requestBody(receipt: Array("QUJD".utf8), secret: secret),
      as: UTF8.self) == "{\"receipt-data\":\"QUJD\",\"password\":\"0123abc\"}")
  #expect(
    String(
      decoding: AppSecret.requestBody(receipt: Array("QUJD".utf8), secret: nil),
      as: UTF8.self) == "{\"receipt-data\":\"QUJD\"}")
  for text in ["", " ", "a b", "a\"b", String(repeating: "a", count: 257)] {
    #expect(AppSecret(Array(text.utf8)) == nil, "\(text)")
  }
}
