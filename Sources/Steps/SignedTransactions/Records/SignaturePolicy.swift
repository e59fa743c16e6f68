internal import Diagnostics

/// The tokens that a pipeline accepts, and whether it verifies signatures.
public struct SignaturePolicy: Hashable, Sendable {
  /// The treatment of signatures: `signatures: verify | trust`.
  public enum Signatures: String, Hashable, Sendable, CaseIterable {
    /// A payload is used only if its signature is valid.
    case verify
    /// Signatures are not checked; meant for files that `paidline-fetch` wrote.
    case trust
  }

  /// The choice between verifying signatures and trusting the files.
  public var signatures: Signatures
  /// The apps whose tokens are accepted; empty for all apps.
  ///
  /// A renewal state has no app, so it is always accepted.
  public var bundleIDs: Set<String>
  /// The environments whose tokens are accepted.
  ///
  /// By default, production and sandbox are accepted, so that the audit includes test purchases.
  public var environments: Set<StoreEnvironment>

  /// Creates a policy from its fields.
  public init(
    signatures: Signatures = .verify, bundleIDs: Set<String> = [],
    environments: Set<StoreEnvironment> = [.production, .sandbox]
  ) {
    self.signatures = signatures
    self.bundleIDs = bundleIDs
    self.environments = environments
  }

  /// The restrictions to certain apps and environments, as texts; empty if there are none.
  var limits: [String] {
    let names = StoreEnvironment.words.filter { environments.contains($0.value) }.map(\.word)
    return [
      bundleIDs.isEmpty ? "" : "apps \(bundleIDs.sorted().joined(separator: ", "))",
      names.count == StoreEnvironment.words.count ? "" : names.joined(separator: ", "),
    ].filter { !$0.isEmpty }
  }

  /// Refuses content of an app or environment that the policy does not accept.
  ///
  /// Content of local tests in Xcode is always refused.
  func check(_ content: SignedContent) throws(TokenFault) {
    // Content without an environment, as in early payloads, is treated as production.
    switch content.environment ?? .production {
    case .unrecognized("Xcode"): throw TokenFault(.tokenEnvironmentNotSigned, "Xcode")
    case .unrecognized("LocalTesting"): throw TokenFault(.tokenEnvironmentNotSigned, "LocalTesting")
    // An unknown environment is treated like the sandbox.
    case .unrecognized where environments.contains(.sandbox): break
    case let environment:
      guard environments.contains(environment) else {
        let word = StoreEnvironment.words.first { $0.value == environment }?.word
        throw TokenFault(.tokenWrongEnvironment, word ?? "")
      }
    }
    guard !bundleIDs.isEmpty, let bundle = content.bundleID else { return }
    guard bundleIDs.contains(bundle) else {
      throw TokenFault(.tokenWrongBundle, Self.isBundleID(bundle) ? bundle : "")
    }
  }

  /// Returns true if a text can be a bundle id; an unsigned payload may contain any text.
  private static func isBundleID(_ text: String) -> Bool {
    text.utf8.count <= 155
      && text.unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "-": true
        default: false
        }
      }
  }
}
