public import CivilTime

/// A notification from Apple (`ResponseBodyV2DecodedPayload`): an event with its tokens.
///
/// The tokens contain the state after the event; only the tokens become observations. Notifications
/// may arrive late, repeatedly and in any order, but each token has its own time.
public struct SignedNotification: Hashable, Sendable {
  /// `notificationType`: `DID_RENEW`, `REFUND`, `TEST` and about twenty others.
  public var type: String
  /// `subtype`: `BILLING_RECOVERY`, `VOLUNTARY`; most notifications have none (`nil`).
  public var subtype: String?
  /// `notificationUUID`: equal if Apple sends a notification repeatedly.
  public var uuid: String?
  /// `signedDate`; `nil` if missing, as before April 2022 or in an unsigned payload.
  public var signedAt: Instant?
  /// `bundleId` in its `data`; `nil` if missing.
  public var bundleID: String?
  /// `environment` in its `data`, else in the response around it; `nil` if both lack the
  /// environment.
  public var environment: StoreEnvironment?
  /// `status` in its `data`: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
  public var status: Int64?
  /// `signedTransactionInfo` and `signedRenewalInfo` in its `data`, if present.
  var tokens: [FoundToken] = []
}
