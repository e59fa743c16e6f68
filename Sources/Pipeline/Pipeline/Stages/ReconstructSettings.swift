package import CivilTime
internal import Crypto
package import Diagnostics
package import PaidAmounts
internal import PurchaseModel
internal import SharedTables
internal import Warehouse

/// All settings and files on which facts depend, except the exports.
package struct ReconstructSettings {
  /// The prices and price changes known from App Store Connect, with texts instead of symbols.
  package var catalogue: CatalogueText
  /// The reporting currency and its rates; `nil` if the pipeline has none.
  var reporting: ReportingSettings?
  /// The policy for the price of a renewal after a price rise.
  package var renewalPolicy: RenewalPolicy
  /// The owner's apps, sorted; empty for all apps.
  var bundleIDs: [String]
  /// The key with which customer ids are hashed.
  var customerKey: [UInt8]
  /// The as-of time set by the operator; `nil` to use the time of the newest snapshot.
  package var asOf: Instant?
  /// The number of days after which a missing export day is ignored.
  var completeAfterDays = 7
  /// The identity of the exports' field mapping; empty for the standard key names.
  var fieldMapping = ""
  /// The inputs that are compared with each other.
  var compared = ComparedInputs()

  /// Reads the settings of a pipeline.
  package static func read(_ definition: PipelineDefinition, asOf: Instant?) throws(RunFailure)
    -> ReconstructSettings
  {
    ReconstructSettings(
      catalogue: try CatalogueText.read(definition),
      reporting: try ReportingSettings.read(definition), renewalPolicy: definition.renewalPolicy,
      bundleIDs: definition.bundleIDs,
      customerKey: try CustomerKey.read(definition), asOf: asOf,
      completeAfterDays: definition.gates.completeAfterDays,
      fieldMapping: definition.mappingIdentity, compared: definition.compared)
  }

  /// The as-of time of the facts: the operator's time, else the time of the newest snapshot.
  func asOf(newestSnapshot: Instant?) -> Instant { asOf ?? newestSnapshot ?? .epoch }

  /// The time until which the exports are complete, at most the as-of time.
  ///
  /// `nil` if no day is complete.
  func completeUntil(_ files: [StoredFile], newestSnapshot: Instant?) -> Instant? {
    CoveringDays.completeThrough(files, after: completeAfterDays, asOf: asOf).map {
      min($0.advanced(by: 1).start, asOf(newestSnapshot: newestSnapshot))
    }
  }

  /// The texts that a symbol table needs in addition to the texts of the exports.
  package var texts: [String] { catalogue.texts + bundleIDs }

  /// Lower-case hex of a SHA-256 over the catalogue's content.
  var catalogueDigest: String {
    Hexadecimal.text(SHA256.hash(data: Array(catalogue.identity.utf8)))
  }

  /// Lower-case hex of a SHA-256 over the reporting currency and its rates; `nil` for none.
  var ratesDigest: String? {
    reporting.map { Hexadecimal.text(SHA256.hash(data: Array($0.identity.utf8))) }
  }

  /// A text that identifies the settings and versions on which facts depend.
  var identity: String { "\(digest) \(ProgramVersion.program) \(ProgramVersion.rules)" }

  /// The SHA-256 of all settings, lower-case hex.
  ///
  /// The customer key is included only as a hash.
  var digest: String {
    let parts =
      [
        "renewal \(renewalPolicy.rawValue)", "bundles \(bundleIDs)",
        "catalogue \(catalogue.identity)",
        "key \(Hexadecimal.text(SHA256.hash(data: customerKey)))",
        "as of \(asOf?.text ?? "newest snapshot")",
        "reporting \(reporting?.identity ?? "nothing")",
      ]
      + (catalogue.corrections.entries.isEmpty
        ? [] : ["corrections \(catalogue.corrections.identity)"])
      + (fieldMapping.isEmpty ? [] : ["field mapping \(fieldMapping)"])
      + (compared.services.isEmpty || !compared.haveAppleData ? [] : ["beside Apple's data"])
    return Hexadecimal.text(SHA256.hash(data: Array(parts.joined(separator: "\n").utf8)))
  }
}

/// The key with which customer ids are hashed for the warehouse.
package enum CustomerKey {
  /// The fixed public key.
  ///
  /// The key is not a secret. With it, everyone computes equal facts from equal exports.
  static let fixed = Array("paidline: a fixed public key for the hash of customer ids".utf8)

  /// Reads the key file of a pipeline; returns the fixed key if the pipeline has no key file.
  package static func read(_ definition: PipelineDefinition) throws(RunFailure) -> [UInt8] {
    guard let path = definition.customerKeyPath else { return fixed }
    let key = try TextFile.bytes(path, what: "the customer key", limit: 1 << 16)
    guard key.count >= 32 else {
      throw RunFailure(
        .badConfiguration,
        "\(OneLine.text(path)): expected a customer key of 32 bytes or more, found \(key.count); "
          + "write 32 random bytes to this file")
    }
    return key
  }
}
