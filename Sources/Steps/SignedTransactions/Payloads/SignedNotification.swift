public import CivilTime

/// A notification from Apple (`ResponseBodyV2DecodedPayload`): an event with its tokens.
///
/// The tokens contain the state after the event; only the tokens become observations. Notifications
/// may arrive late, repeatedly and in any order, but each token has its own time.
public struct SignedNotification: Hashable, Sendable {
  /// `notificationType`: `DID_RENEW`, `REFUND`, `TEST` and about twenty others.
  public var type: String
  /// `subtype`, for example `BILLING_RECOVERY` or `VOLUNTARY`; `nil` for most notifications.
  public var subtype: String?
  /// `notificationUUID`: unchanged if Apple sends the notification again.
  public var uuid: String?
  /// `signedDate`; `nil` if missing, as before April 2022 or in an unsigned payload.
  public var signedAt: Instant?
  /// `bundleId` in the notification's `data`; `nil` if missing.
  public var bundleID: String?
  /// `environment` in the notification's `data`, else in the response that contains the
  /// notification.
  ///
  /// `nil` if neither of the two objects has an environment.
  public var environment: StoreEnvironment?
  /// `status` in the notification's `data`: 1 active, 2 expired, 3 billing retry, 4 grace period, 5
  /// revoked.
  public var status: Int64?
  /// `signedTransactionInfo` and `signedRenewalInfo` in the notification's `data`, if present.
  var tokens: [FoundToken] = []
}
