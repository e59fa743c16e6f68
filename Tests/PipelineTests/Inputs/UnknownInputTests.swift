@testable internal import Pipeline
internal import TestSupport
internal import Testing

/// What `paidline init --from` says of files that are no input.
struct UnknownInputTests {
  @Test func `a transaction id alone is no sign of signed data`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "rows.ndjson",
      #"{"uid":"c-1","productId":"pro","transactionId":"7","originalTransactionId":"7"}"# + "\n")
    let words = try RecognizedInput.of(folder.path("rows.ndjson")).words
    #expect(!words.contains("JWS"), "\(words)")
    #expect(words.contains("which need Apple's whole response, a signed transaction"), "\(words)")
  }
}
