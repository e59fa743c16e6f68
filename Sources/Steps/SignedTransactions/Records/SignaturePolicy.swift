internal import Diagnostics

/// The tokens that a pipeline accepts, and the proof that it asks for.
public struct SignaturePolicy: Hashable, Sendable {
  /// The treatment of signatures: `signatures: verify | trust`.
  public enum Signatures: String, Hashable, Sendable, CaseIterable {
    /// Nothing of a payload counts before its signature is right.
    case verify
    /// Signatures are not looked at: for files that this project's own fetch wrote.
    case trust
  }

  /// The treatment of signatures.
  public var signatures: Signatures
  /// The apps whose tokens are taken; empty for all.
  ///
  /// Renewal states name no app, so none is refused for it: the chain that they belong to decides.
  public var bundleIDs: Set<String>
  /// The stores whose tokens are taken; both unless asked otherwise, as test purchases are counted.
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

  /// The further limits, in words that differ between policies; empty without limits.
  var limits: [String] {
    let names = StoreEnvironment.words.filter { environments.contains($0.value) }.map(\.word)
    return [
      bundleIDs.isEmpty ? "" : "apps \(bundleIDs.sorted().joined(separator: ", "))",
      names.count == StoreEnvironment.words.count ? "" : names.joined(separator: ", "),
    ].filter { !$0.isEmpty }
  }

  /// Refuses content that Apple did not sign, and content that the policy does not accept.
  func check(_ content: SignedContent) throws(TokenFault) {
    // Production is assumed of what names no store: it was signed before Apple named any.
    switch content.environment ?? .production {
    case .unrecognized("Xcode"): throw TokenFault(.tokenEnvironmentNotSigned, "Xcode")
    case .unrecognized("LocalTesting"): throw TokenFault(.tokenEnvironmentNotSigned, "LocalTesting")
    // A store that Apple adds later is a test store here, and goes where those go.
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

  /// Whether a text can be a bundle id: a payload without a signature may hold anything there.
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
