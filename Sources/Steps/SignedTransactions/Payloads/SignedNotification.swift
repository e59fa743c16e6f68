public import CivilTime

/// A notification from Apple (`ResponseBodyV2DecodedPayload`): an event with its tokens.
///
/// Only the tokens become observations; they contain the state after the event. Notifications may
/// arrive late, repeatedly and in any order, but each token has its own time.
public struct SignedNotification: Hashable, Sendable {
  /// `notificationType`: `DID_RENEW`, `REFUND`, `TEST` and about twenty others.
  public var type: String
  /// `subtype`, such as `BILLING_RECOVERY` or `VOLUNTARY`; `nil` for most notifications.
  public var subtype: String?
  /// `notificationUUID`: equal if Apple sends a notification repeatedly.
  public var uuid: String?
  /// `signedDate`: the time of Apple's signature; `nil` if missing, as before April 2022.
  public var signedAt: Instant?
  /// `bundleId` in its `data`; `nil` if missing.
  public var bundleID: String?
  /// `environment` in its `data`, else in the response around it; `nil` if neither has it.
  public var environment: StoreEnvironment?
  /// `status` in its `data`: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
  public var status: Int64?
  /// `signedTransactionInfo` and `signedRenewalInfo` in its `data`, if present.
  var tokens: [FoundToken] = []
}
