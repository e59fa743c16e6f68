internal import Diagnostics
internal import Foundation
internal import SignedTransactions
internal import TestSupport
internal import Testing

/// Tokens of Apple's own test resources, read in their place; skipped if they are missing.
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
    // A root of the same name that is not byte for byte the same is another root.
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
