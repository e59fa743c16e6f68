internal import Diagnostics
internal import Foundation
internal import SignedTransactions
internal import TestSupport
internal import Testing

/// Tokens from Apple's own test resources in the fixtures folder; skipped if it is missing.
@Suite(.enabled("the fixtures are not here", { Checkout.fixtures != nil }))
struct RealTokenTests {
  private static let folder =
    "apple__app-store-server-library-swift/Tests/AppStoreServerLibraryTests/resources"

  private static func bytes(_ name: String) throws -> [UInt8] {
    let url = try #require(Checkout.fixtures).appending(path: "\(folder)/\(name)")
    return Array(try Data(contentsOf: url))
  }

  private static func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  private static func reader(root: [UInt8]? = nil) throws -> SignedRecordReader {
    let root = try root ?? bytes("certs/testCA.der")
    let roots = try #require(TrustedRoots(certificates: [root]))
    return SignedRecordReader(verifier: SignatureVerifier(roots: roots))
  }

  private static func kind(_ name: String, root: [UInt8]? = nil) throws -> String {
    var reader = try reader(root: root)
    return try reader.read(text(name)).findings.map(\.kind).joined(separator: " ")
  }

  @Test func `a notification is verified under the root it carries, once that is trusted`() throws {
    let name = "mock_signed_data/testNotification"
    // A root with an equal name but other bytes is another root.
    #expect(try Self.kind(name) == "token_root_not_trusted")
    let header = String(try #require(try Self.text(name).split(separator: ".").first))
    let padded = header + String(repeating: "=", count: (4 - header.count % 4) % 4)
    let base64 = padded.replacing("-", with: "+").replacing("_", with: "/")
    let json = try #require(Data(base64Encoded: base64))
    let members = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    let certificates = try #require(members?["x5c"] as? [String])
    let root = try #require(Data(base64Encoded: certificates[2]))
    #expect(try Self.kind(name, root: Array(root)) == "TEST")
  }

  @Test func `a header without x5c has no certificates`() throws {
    #expect(
      try Self.kind("mock_signed_data/missingX5CHeaderClaim") == "token_certificate_count")
  }

  @Test func `a token of Xcode carries one certificate, and fractions of milliseconds`() throws {
    #expect(try Self.kind("xcode/xcode-signed-renewal-info") == "token_certificate_count")
    var trusting = SignedRecordReader(
      verifier: SignatureVerifier(), policy: SignaturePolicy(signatures: .trust))
    let finding = try trusting.read(Self.text("xcode/xcode-signed-renewal-info")).findings[0]
    #expect(finding.fault == TokenFault(.tokenEnvironmentNotSigned, "Xcode"))
  }

  @Test func `the decoded examples of Apple's library are read, but for their environment`() throws
  {
    for name in ["signedRenewalInfo", "signedTransactionWithRevocation"] {
      var reader = try Self.reader()
      let text = try Self.text("models/\(name).json")
      #expect(
        try reader.read(text).findings[0].fault
          == TokenFault(.tokenEnvironmentNotSigned, "LocalTesting"))
      let live = text.replacing("LocalTesting", with: "Production")
      #expect(try reader.read(live).findings[0].fault == nil)
    }
  }
}

/// Apple's responses and notifications of 2021 and 2022, from public code.
@Suite(.enabled("the fixtures are not here", { Checkout.fixtures != nil }))
struct RealPayloadTests {
  private static func findings(_ name: String) throws -> [SignedFinding] {
    let url = try #require(Checkout.fixtures).appending(path: "payloads/\(name)")
    var reader = SignedRecordReader(verifier: SignatureVerifier())
    return try reader.read(String(decoding: try Data(contentsOf: url), as: UTF8.self)).findings
  }

  /// The environment of each transaction and renewal state, `sandbox` or `production`; else the
  /// reason of a fault.
  private static func stores(_ name: String) throws -> [String] {
    try findings(name).compactMap { finding in
      switch finding.content {
      case .success(.transaction(let found)):
        found.environment.map { $0.isSandbox ? "sandbox" : "production" } ?? "-"
      case .success(.renewal(let found)):
        found.environment.map { $0.isSandbox ? "sandbox" : "production" } ?? "-"
      case .success(.notification): nil
      case .failure(let fault): fault.reason.rawValue
      }
    }
  }

  @Test func `tokens without an environment take the one of the answer around them`() throws {
    #expect(
      try Self.stores("Omnimind__get_all_subscription_statuses.json") == ["sandbox", "sandbox"])
  }

  @Test func `a notification of 2022 is verified at the dates of its tokens`() throws {
    let name = "gopay__notif.signedPayload.json"
    #expect(try Self.stores(name) == ["sandbox", "sandbox"])
    #expect(try Self.findings(name).allSatisfy { $0.proofLevel == .verified })
  }

  @Test func `zeros and empty texts of a decoded notification are absent`() throws {
    let found = try Self.findings("decoded__gopay_decoded_zero_values.json")
    #expect(found.contains { if case .success(.transaction) = $0.content { true } else { false } })
    for finding in found {
      guard case .success(.transaction(let transaction)) = finding.content else { continue }
      #expect(transaction.revocation == nil)
      #expect(transaction.offer == nil)
    }
    #expect(found.allSatisfy { $0.fault == nil })
  }
}
