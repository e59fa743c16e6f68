package import CivilTime
package import Diagnostics
package import Logging
package import Pipeline

/// Fetches App Analytics' reports about subscriptions, one file per app and instance.
///
/// Apple makes an instance a day once it has been asked for the reports of an app, and keeps an
/// instance for 35 days. An instance that is already on disk is not fetched again.
package struct AnalyticsFetch {
  package let definition: PipelineDefinition
  package let settings: FetchSettings
  package let reports: AppleReportSettings
  package let connect: AppleConnection.Maker
  package let log: Logger

  package init(
    definition: PipelineDefinition, settings: FetchSettings, reports: AppleReportSettings,
    connect: @escaping AppleConnection.Maker, log: Logger
  ) {
    self.definition = definition
    self.settings = settings
    self.reports = reports
    self.connect = connect
    self.log = log
  }

  package typealias Tally = AppleReportFetch.Tally

  private static let purpose = ConnectPurpose(
    neededKey: """
      App Analytics needs a key with the role Admin for the first request of an app, and with Sales \
      and Reports, Finance or Admin later: compare fetch.reports with the keys under Users and \
      Access, Integrations
      """,
    nextRun: "the next run fetches the others")

  /// Fetches the instances that Apple made on some days.
  ///
  /// - Parameters:
  ///   - days: The days on which Apple made the instances; both ends are included.
  /// - Throws: ``RunFailure`` with status 69 if Apple cannot be reached, 78 for a key that Apple
  ///   refuses or a pipeline without an app, and 65 for an app that App Store Connect does not
  ///   know.
  package func run(_ kinds: [AnalyticsReport], days: ClosedRange<CivilDay>, isAgain: Bool)
    async throws(RunFailure) -> Tally
  {
    let named = definition.bundleIDs
    let apps = named.isEmpty ? [settings.bundleID].compactMap(\.self) : named
    guard !apps.isEmpty else {
      throw RunFailure(
        .badConfiguration,
        """
        \(OneLine.text(definition.path)): App Analytics is asked app by app; name the apps as \
        bundle_ids. \(DocsPage.fetching.reference)
        """)
    }
    let client = try AppleClient.appStoreConnect(
      settings, key: reports.key, url: reports.url, perSecond: settings.requestsPerSecond,
      connect: connect)
    let files = AppleClient.downloads(settings, connect: connect)
    let round = Round(
      reports: reports, connect: ConnectClient(client, for: Self.purpose), files: files, log: log)
    var tally = Tally()
    var failure: RunFailure?
    do throws(RunFailure) {
      for app in apps {
        try await round.fetch(app, kinds, days: days, isAgain: isAgain, tally: &tally)
      }
    } catch {
      failure = error
    }
    await client.close()
    await files.close()
    tally.requests = client.requests + files.requests
    log.notice("\(tally.text)")
    if let failure { throw failure }
    return tally
  }

  /// The connections of one fetch.
  private struct Round {
    let reports: AppleReportSettings
    let connect: ConnectClient
    let files: AppleClient
    let log: Logger

    /// Fetches the instances of an app.
    func fetch(
      _ bundleID: String, _ kinds: [AnalyticsReport], days: ClosedRange<CivilDay>, isAgain: Bool,
      tally: inout Tally
    ) async throws(RunFailure) {
      let found = try await connect.all(ConnectRequest.app(bundleID)).resources
      guard let app = found.first(where: { $0.attributes?.bundleId == bundleID }) else {
        throw RunFailure(
          .dataRefused,
          """
          App Store Connect has no app \(OneLine.text(bundleID)), or the key has no access to it; \
          check bundle_ids, and the key's role under Users and Access
          """)
      }
      guard let request = try await request(of: app) else { return tally.missing += kinds.count }
      let made = try await connect.all(AnalyticsRequest.reports(ofRequest: request)).resources
      for kind in kinds {
        guard let report = made.first(where: { kind.isNamed($0.attributes?.name ?? "") }) else {
          log.notice(
            """
            App Store Connect has no report \(kind.rawValue) of \(OneLine.text(bundleID)) yet; it \
            comes one or two days after the first request
            """)
          tally.missing += 1
          continue
        }
        let instances = try await connect.all(AnalyticsRequest.instances(ofReport: report.id))
        for instance in instances.resources {
          guard let day = instance.attributes?.processingDate.flatMap({ CivilDay(text: $0) }),
            days.contains(day)
          else { continue }
          try StopSignal.check()
          let path = reports.output.path(kind: kind.fileName(app: app.id), day: day.text)
          guard isAgain || !PathStatus.exists(path) else {
            tally.known += 1
            continue
          }
          try await fetch(instance, to: path, tally: &tally)
        }
      }
    }

    /// Finds the request for the app's daily reports, or sends one.
    ///
    /// - Returns: The id of the request; `nil` if it was sent just now, because Apple makes the
    ///   first reports later.
    private func request(of app: ConnectResource) async throws(RunFailure) -> String? {
      let requests = try await connect.all(AnalyticsRequest.ongoing(ofApp: app.id)).resources
      if let running = requests.first(where: { $0.attributes?.stoppedDueToInactivity != true }) {
        return running.id
      }
      _ = try await connect.create(
        AnalyticsRequest.create,
        .object([
          .init(
            "data",
            .object([
              .init("type", .text("analyticsReportRequests")),
              .init("attributes", .object([.init("accessType", .text("ONGOING"))])),
              .init(
                "relationships",
                .object([
                  .init(
                    "app",
                    .object([
                      .init(
                        "data",
                        .object([.init("type", .text("apps")), .init("id", .text(app.id))]))
                    ]))
                ])),
            ]))
        ]))
      log.warning(
        """
        App Analytics was asked for the daily reports of \
        \(OneLine.text(app.attributes?.bundleId ?? app.id)); Apple makes the first ones within two \
        days, and keeps each for 35 days
        """)
      return nil
    }

    /// Fetches all parts of an instance, and writes them as one file.
    private func fetch(_ instance: ConnectResource, to path: String, tally: inout Tally)
      async throws(RunFailure)
    {
      var parts: [[UInt8]] = []
      let segments = try await connect.all(AnalyticsRequest.segments(ofInstance: instance.id))
      for segment in segments.resources {
        guard let address = segment.attributes?.url.flatMap(ValidationSettings.checkedAddress)
        else {
          throw RunFailure(
            .dataRefused,
            """
            App Store Connect names an address of a report that is not https: \
            \(OneLine.text(segment.attributes?.url ?? "none")); nothing is fetched from it
            """)
        }
        switch try await files.askAlone(
          AppleQuestion(target: address, accept: nil, seed: Array(segment.id.utf8)),
          meaning: { reply, _ in
            ReplyMeaning(reply) {
              .settled(.answer($0))
            } other: { status, _ in
              .again(reason: "http_\(status)", after: nil)
            }
          })
        {
        case .answer(let bytes): parts.append(bytes)
        case .pending(let reason), .rejected(let reason), .refused(let reason):
          throw RunFailure(
            .unavailable,
            """
            a part of App Analytics' report cannot be fetched (\(reason)); \(tally.written) reports \
            are written, and the next run fetches the others
            """)
        }
      }
      guard !parts.isEmpty else { return tally.missing += 1 }
      try AppleReportFetch.write(parts, to: path)
      tally.written += 1
    }
  }
}
