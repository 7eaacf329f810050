module service

go 1.21

require github.com/temoto/robotstxt v1.1.2
