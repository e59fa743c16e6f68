internal import Joining
internal import Purchases
internal import TemporaryFiles

/// The chains of all shares after joining, as the next night's index tells of them.
struct JoinedShares: Sendable {
  /// The accounts and customers of the chains, by number.
  let chains: JoinedChains
  /// The shares, by number, without their encounters.
  let shares: [ShareSummary]
  /// Every claim to a transaction id, ``MergedChains/Claim``, by id.
  let claims: ExternalSort
  /// The storefronts in records without a row.
  let storefronts: [StorefrontSighting]
}
