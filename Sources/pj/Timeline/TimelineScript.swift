/// The script of a timeline's page, in the parts that follow each other in it.
enum TimelineScript {}
